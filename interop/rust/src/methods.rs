use crate::calls::{call, CallResult, Calls, Failure};
use crate::messages::{casper as queries, casper::v1, grpc, lsp, repl};

/// Makes one call of a method, by its messages.
macro_rules! methods {
    ($calls:expr, $($path:literal: $request:ty => $response:ty,)*) => {
        match format!("{}/{}", $calls.case.service, $calls.case.method).as_str() {
            $($path => call::<$request, $response>($calls).await,)*
            other => Err(format!("there is no method {other}").into()),
        }
    };
}

pub async fn call_method(calls: &Calls) -> Result<CallResult, Failure> {
    methods!(calls,
        "casper.v1.DeployService/doDeploy": queries::DeployDataProto => v1::DeployResponse,
        "casper.v1.DeployService/getBlock": queries::BlockQuery => v1::BlockResponse,
        "casper.v1.DeployService/visualizeDag": queries::VisualizeDagQuery => v1::VisualizeBlocksResponse,
        "casper.v1.DeployService/machineVerifiableDag": queries::MachineVerifyQuery => v1::MachineVerifyResponse,
        "casper.v1.DeployService/showMainChain": queries::BlocksQuery => v1::BlockInfoResponse,
        "casper.v1.DeployService/getBlocks": queries::BlocksQuery => v1::BlockInfoResponse,
        "casper.v1.DeployService/listenForDataAtName": queries::DataAtNameQuery => v1::ListeningNameDataResponse,
        "casper.v1.DeployService/getDataAtName": queries::DataAtNameByBlockQuery => v1::RhoDataResponse,
        "casper.v1.DeployService/listenForContinuationAtName":
            queries::ContinuationAtNameQuery => v1::ContinuationAtNameResponse,
        "casper.v1.DeployService/findDeploy": queries::FindDeployQuery => v1::FindDeployResponse,
        "casper.v1.DeployService/previewPrivateNames":
            queries::PrivateNamePreviewQuery => v1::PrivateNamePreviewResponse,
        "casper.v1.DeployService/lastFinalizedBlock":
            queries::LastFinalizedBlockQuery => v1::LastFinalizedBlockResponse,
        "casper.v1.DeployService/isFinalized": queries::IsFinalizedQuery => v1::IsFinalizedResponse,
        "casper.v1.DeployService/bondStatus": queries::BondStatusQuery => v1::BondStatusResponse,
        "casper.v1.DeployService/exploratoryDeploy": queries::ExploratoryDeployQuery => v1::ExploratoryDeployResponse,
        "casper.v1.DeployService/getBlocksByHeights": queries::BlocksQueryByHeight => v1::BlockInfoResponse,
        "casper.v1.DeployService/getEventByHash": queries::ReportQuery => v1::EventInfoResponse,
        "casper.v1.DeployService/status": () => v1::StatusResponse,
        "casper.v1.ProposeService/propose": queries::ProposeQuery => v1::ProposeResponse,
        "casper.v1.ProposeService/proposeResult": queries::ProposeResultQuery => v1::ProposeResultResponse,
        "repl.Repl/Run": repl::CmdRequest => repl::ReplResponse,
        "repl.Repl/Eval": repl::EvalRequest => repl::ReplResponse,
        "lsp.Lsp/Validate": lsp::ValidateRequest => lsp::ValidateResponse,
        "grpc.health.v1.Health/Check": grpc::health::v1::HealthCheckRequest => grpc::health::v1::HealthCheckResponse,
        "grpc.health.v1.Health/List": grpc::health::v1::HealthListRequest => grpc::health::v1::HealthListResponse,
        "grpc.health.v1.Health/Watch": grpc::health::v1::HealthCheckRequest => grpc::health::v1::HealthCheckResponse,
        "grpc.reflection.v1.ServerReflection/ServerReflectionInfo":
            grpc::reflection::v1::ServerReflectionRequest => grpc::reflection::v1::ServerReflectionResponse,
        "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo":
            grpc::reflection::v1alpha::ServerReflectionRequest => grpc::reflection::v1alpha::ServerReflectionResponse,
    )
}
