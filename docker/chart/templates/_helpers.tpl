{{- define "vedette.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 30 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 30 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "vedette.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
{{ include "vedette.selector" . }}
{{- end }}

{{- define "vedette.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "vedette.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* What every container of ours may, and what it may not. */}}
{{- define "vedette.container" -}}
image: {{ include "vedette.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: ["ALL"] }
{{- end }}

{{- define "vedette.pod" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
automountServiceAccountToken: false
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* Members on different machines, where there are enough. */}}
{{- define "vedette.spread" -}}
{{- if .root.Values.topologySpread }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels: {{ include "vedette.selector" .root | nindent 8 }}
        app.kubernetes.io/component: {{ .component }}
{{- end }}
{{- end }}

{{- define "vedette.scrape" -}}
{{- if not .Values.metrics.podMonitor }}
prometheus.io/scrape: "true"
prometheus.io/port: "40403"
prometheus.io/path: /metrics
{{- end }}
{{- end }}

{{/* A node that has begun answers /status; in sync it is by /health/ready. */}}
{{- define "vedette.probes" -}}
startupProbe:
  httpGet: { path: /status, port: http }
  periodSeconds: 5
  failureThreshold: 360
livenessProbe:
  httpGet: { path: /status, port: http }
  periodSeconds: 15
  timeoutSeconds: 10
  failureThreshold: 5
readinessProbe:
  httpGet: { path: /health/ready, port: http }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 2
{{- end }}

{{- define "vedette.claim" -}}
- metadata:
    name: data
  spec:
    accessModes: ["ReadWriteOnce"]
    {{- with .className }}
    storageClassName: {{ . }}
    {{- end }}
    resources:
      requests: { storage: {{ .size }} }
{{- end }}
