//! Assets: the provider wants text where Pulumi programs may pass a file.
//!
//! A text asset is its text, and a file asset the content of the file, which must be UTF-8. The engine hands over paths
//! relative to the project directory, which is our working directory. Archives and downloads have no such form: the
//! translation refuses them by name.

use std::future::Future;
use std::pin::Pin;

use denobridge_core::limits::MAX_MESSAGE_BYTES;

use crate::errors::Failure;
use crate::property_value::{Asset, AssetContent, Output, PropertyMap, PropertyValue};

/// Puts the content of files in the place of file assets.
///
/// # Errors
/// A file cannot be read, is too large or is not text.
pub(crate) async fn load(properties: &mut PropertyMap) -> Result<(), Failure> {
    for value in properties.values_mut() {
        load_value(value).await?;
    }
    Ok(())
}

fn load_value(value: &mut PropertyValue) -> Pin<Box<dyn Future<Output = Result<(), Failure>> + Send + '_>> {
    Box::pin(async move {
        match value {
            PropertyValue::Asset(Asset { content: Some(content), .. }) => {
                if let AssetContent::Path(path) = content {
                    *content = AssetContent::Text(read(path).await?);
                }
            }
            PropertyValue::Secret(inner) | PropertyValue::Output(Output { value: Some(inner), .. }) => {
                load_value(inner).await?;
            }
            PropertyValue::Array(items) => {
                for item in items {
                    load_value(item).await?;
                }
            }
            PropertyValue::Object(entries) => load(entries).await?,
            _ => {}
        }
        Ok(())
    })
}

async fn read(path: &str) -> Result<String, Failure> {
    let failed = |why: String| Failure::InvalidRequest(format!("the file asset {path:?} cannot be used: {why}"));
    let length = tokio::fs::metadata(path).await.map_err(|error| failed(error.to_string()))?.len();
    if length > MAX_MESSAGE_BYTES as u64 {
        return Err(failed(format!("it has {length} bytes, and the limit is {MAX_MESSAGE_BYTES}")));
    }
    let bytes = tokio::fs::read(path).await.map_err(|error| failed(error.to_string()))?;
    String::from_utf8(bytes).map_err(|_| failed("the provider takes text, and this is not UTF-8".to_owned()))
}
