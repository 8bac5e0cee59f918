/*
 * Records what a process does to the files below a folder: a library to be preloaded (LD_PRELOAD), for tests.
 *
 * VEDETTE_RECORD_ROOT   the folder, absolute and without a slash at its end
 * VEDETTE_RECORD_TRACE  where the record goes, outside of the folder
 *
 * A file whose name is the folder's with ".marks" behind it is not on the recorded disk: what is written to it is put
 * into the record as a mark, so that a test can find what the program had promised by then.
 *
 * An entry is, in the order of the machine's bytes: kind (4 bytes), flags (4), number of the file (8), offset (8),
 * length of a first text (4), length of a second one (4), the two texts. One lock is held while the call is made and
 * recorded, so that the record has an order.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum kind { CREATE = 1, WRITE, TRUNCATE, SYNC, RENAME, UNLINK, MKDIR, RMDIR, MARK, MAPPED };
enum { DSYNC = 1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char root[PATH_MAX];
static char marks[PATH_MAX];
static size_t root_length;
static int trace = -1;

__attribute__((constructor)) static void begin(void) {
  const char *folder = getenv("VEDETTE_RECORD_ROOT");
  const char *path = getenv("VEDETTE_RECORD_TRACE");
  if (folder == NULL || path == NULL) return;
  root_length = strlen(folder);
  snprintf(root, sizeof root, "%s", folder);
  snprintf(marks, sizeof marks, "%s.marks", folder);
  trace = syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }
#define REAL(name)               \
  static __typeof__(name) *real; \
  if (real == NULL) real = (__typeof__(name) *)next(#name)

static int is_below(const char *path) {
  if (trace < 0 || strncmp(path, root, root_length) != 0) return 0;
  return path[root_length] == 0 || path[root_length] == '/';
}

/* A path as it is for the process, made absolute; links are not followed. */
static int absolute(int at, const char *path, char *into) {
  if (trace < 0 || path == NULL) return 0;
  if (path[0] == '/') {
    snprintf(into, PATH_MAX, "%s", path);
  } else {
    char folder[PATH_MAX];
    char link[64];
    snprintf(link, sizeof link, at == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", at);
    ssize_t length = readlink(link, folder, sizeof folder - 1);
    if (length < 0) return 0;
    folder[length] = 0;
    if (snprintf(into, PATH_MAX, "%s/%s", folder, path) >= PATH_MAX) return 0;
  }
  return is_below(into);
}

static int path_of(int fd, char *into) {
  if (trace < 0) return 0;
  char link[64];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, into, PATH_MAX - 1);
  if (length < 0) return 0;
  into[length] = 0;
  return 1;
}

static uint64_t number_of(int fd) {
  struct stat facts;
  return fstat(fd, &facts) == 0 ? (uint64_t)facts.st_ino : 0;
}

static void put(const void *bytes, size_t count) {
  const char *at = bytes;
  while (count > 0) {
    long done = syscall(SYS_write, trace, at, count);
    if (done <= 0) abort();
    at += done;
    count -= (size_t)done;
  }
}

static void head(enum kind kind, uint32_t flags, uint64_t number, uint64_t offset, size_t first, size_t second) {
  char entry[32];
  uint32_t kind_number = kind, first_length = (uint32_t)first, second_length = (uint32_t)second;
  memcpy(entry, &kind_number, 4);
  memcpy(entry + 4, &flags, 4);
  memcpy(entry + 8, &number, 8);
  memcpy(entry + 16, &offset, 8);
  memcpy(entry + 24, &first_length, 4);
  memcpy(entry + 28, &second_length, 4);
  put(entry, sizeof entry);
}

static void record(enum kind kind, uint64_t number, uint64_t offset, const char *first, const char *second) {
  int kept = errno;
  size_t first_length = first == NULL ? 0 : strlen(first), second_length = second == NULL ? 0 : strlen(second);
  head(kind, 0, number, offset, first_length, second_length);
  put(first, first_length);
  put(second, second_length);
  errno = kept;
}

static void record_write(int fd, const struct iovec *parts, int count, ssize_t written, off_t offset) {
  char path[PATH_MAX];
  if (written <= 0 || !path_of(fd, path)) return;
  int is_mark = strcmp(path, marks) == 0;
  if (!is_mark && !is_below(path)) return;
  int kept = errno;
  if (offset < 0) offset = lseek(fd, 0, SEEK_CUR) - written;
  int flags = fcntl(fd, F_GETFL);
  head(is_mark ? MARK : WRITE, (flags & O_DSYNC) != 0 ? DSYNC : 0, number_of(fd), (uint64_t)offset, (size_t)written, 0);
  size_t left = (size_t)written;
  for (int at = 0; at < count && left > 0; at++) {
    size_t part = parts[at].iov_len < left ? parts[at].iov_len : left;
    put(parts[at].iov_base, part);
    left -= part;
  }
  errno = kept;
}

#define RECORDED_WRITE(call, fd, parts, count, offset)  \
  pthread_mutex_lock(&lock);                            \
  ssize_t written = call;                               \
  record_write(fd, parts, count, written, offset);      \
  pthread_mutex_unlock(&lock);                          \
  return written

ssize_t write(int fd, const void *bytes, size_t count) {
  REAL(write);
  if (trace < 0) return real(fd, bytes, count);
  char path[PATH_MAX];
  /* Pipes and sockets may block while another thread waits for the lock. */
  if (!path_of(fd, path) || (!is_below(path) && strcmp(path, marks) != 0)) return real(fd, bytes, count);
  struct iovec part = {(void *)bytes, count};
  RECORDED_WRITE(real(fd, bytes, count), fd, &part, 1, -1);
}

ssize_t writev(int fd, const struct iovec *parts, int count) {
  REAL(writev);
  char path[PATH_MAX];
  if (!path_of(fd, path) || (!is_below(path) && strcmp(path, marks) != 0)) return real(fd, parts, count);
  RECORDED_WRITE(real(fd, parts, count), fd, parts, count, -1);
}

ssize_t pwrite64(int fd, const void *bytes, size_t count, off64_t offset) {
  REAL(pwrite64);
  struct iovec part = {(void *)bytes, count};
  RECORDED_WRITE(real(fd, bytes, count, offset), fd, &part, 1, offset);
}

ssize_t pwrite(int fd, const void *bytes, size_t count, off_t offset) { return pwrite64(fd, bytes, count, offset); }

ssize_t pwritev64(int fd, const struct iovec *parts, int count, off64_t offset) {
  REAL(pwritev64);
  RECORDED_WRITE(real(fd, parts, count, offset), fd, parts, count, offset);
}

ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t offset) {
  return pwritev64(fd, parts, count, offset);
}

static int opened(int at, const char *path, int flags, mode_t mode) {
  REAL(openat64);
  char full[PATH_MAX];
  if (!absolute(at, path, full)) return real(at, path, flags, mode);
  pthread_mutex_lock(&lock);
  struct stat facts;
  int is_new = (flags & O_CREAT) != 0 && lstat(full, &facts) != 0;
  int fd = real(at, path, flags, mode);
  if (fd >= 0 && is_new) record(CREATE, number_of(fd), 0, full, NULL);
  else if (fd >= 0 && (flags & O_TRUNC) != 0) record(TRUNCATE, number_of(fd), 0, NULL, NULL);
  pthread_mutex_unlock(&lock);
  return fd;
}

#define OPEN(name, parameters, at)                                                         \
  int name parameters {                                                                    \
    mode_t mode = 0;                                                                       \
    if ((flags & (O_CREAT | O_TMPFILE)) != 0) {                                            \
      va_list more;                                                                        \
      va_start(more, flags);                                                               \
      mode = va_arg(more, mode_t);                                                         \
      va_end(more);                                                                        \
    }                                                                                      \
    return opened(at, path, flags, mode);                                                  \
  }

OPEN(open, (const char *path, int flags, ...), AT_FDCWD)
OPEN(open64, (const char *path, int flags, ...), AT_FDCWD)
OPEN(openat, (int at, const char *path, int flags, ...), at)
OPEN(openat64, (int at, const char *path, int flags, ...), at)

int ftruncate64(int fd, off64_t length) {
  REAL(ftruncate64);
  char path[PATH_MAX];
  pthread_mutex_lock(&lock);
  int result = real(fd, length);
  if (result == 0 && path_of(fd, path) && is_below(path)) record(TRUNCATE, number_of(fd), (uint64_t)length, NULL, NULL);
  pthread_mutex_unlock(&lock);
  return result;
}

int ftruncate(int fd, off_t length) { return ftruncate64(fd, length); }

#define SYNCED(name)                                                              \
  int name(int fd) {                                                              \
    REAL(name);                                                                   \
    char path[PATH_MAX];                                                          \
    pthread_mutex_lock(&lock);                                                    \
    int result = real(fd);                                                        \
    if (result == 0 && path_of(fd, path) && is_below(path)) record(SYNC, number_of(fd), 0, path, NULL); \
    pthread_mutex_unlock(&lock);                                                  \
    return result;                                                                \
  }

SYNCED(fsync)
SYNCED(fdatasync)

int renameat(int from_at, const char *from, int to_at, const char *to) {
  REAL(renameat);
  char from_full[PATH_MAX], to_full[PATH_MAX];
  int is_ours = absolute(from_at, from, from_full) && absolute(to_at, to, to_full);
  pthread_mutex_lock(&lock);
  int result = real(from_at, from, to_at, to);
  if (result == 0 && is_ours) record(RENAME, 0, 0, from_full, to_full);
  pthread_mutex_unlock(&lock);
  return result;
}

int rename(const char *from, const char *to) { return renameat(AT_FDCWD, from, AT_FDCWD, to); }

static int removed(int at, const char *path, int flags) {
  REAL(unlinkat);
  char full[PATH_MAX];
  int is_ours = absolute(at, path, full);
  pthread_mutex_lock(&lock);
  int result = real(at, path, flags);
  if (result == 0 && is_ours) record((flags & AT_REMOVEDIR) != 0 ? RMDIR : UNLINK, 0, 0, full, NULL);
  pthread_mutex_unlock(&lock);
  return result;
}

int unlinkat(int at, const char *path, int flags) { return removed(at, path, flags); }
int unlink(const char *path) { return removed(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return removed(AT_FDCWD, path, AT_REMOVEDIR); }

int mkdirat(int at, const char *path, mode_t mode) {
  REAL(mkdirat);
  char full[PATH_MAX];
  struct stat facts;
  int is_ours = absolute(at, path, full);
  pthread_mutex_lock(&lock);
  int result = real(at, path, mode);
  if (result == 0 && is_ours && stat(full, &facts) == 0) record(MKDIR, facts.st_ino, 0, full, NULL);
  pthread_mutex_unlock(&lock);
  return result;
}

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

/* What is written by way of memory leaves no trace here: the record says so, and is no good for such a file. */
void *mmap64(void *address, size_t length, int protection, int flags, int fd, off64_t offset) {
  REAL(mmap64);
  char path[PATH_MAX];
  void *result = real(address, length, protection, flags, fd, offset);
  int is_written = (flags & MAP_SHARED) != 0 && (protection & PROT_WRITE) != 0 && fd >= 0;
  if (result != MAP_FAILED && is_written && path_of(fd, path) && is_below(path)) {
    pthread_mutex_lock(&lock);
    record(MAPPED, number_of(fd), 0, path, NULL);
    pthread_mutex_unlock(&lock);
  }
  return result;
}

void *mmap(void *address, size_t length, int protection, int flags, int fd, off_t offset) {
  return mmap64(address, length, protection, flags, fd, offset);
}
