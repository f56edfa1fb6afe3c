//! Guessing the address of a resource: Terraform does not tell it to providers, but it is in a local state file.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value as Json;

/// A state file larger than this is not read: the guess is not worth the time.
const LARGEST: u64 = 64 << 20;

/// Which address each object has, by its type and id. Objects of the same type and id have none.
#[derive(Debug, Default)]
pub(crate) struct Addresses(HashMap<(String, String), Option<Address>>);

/// An address and the module that it is in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) address: Arc<str>,
    pub(crate) module: Option<Arc<str>>,
    pub(crate) name: Arc<str>,
}

#[derive(Deserialize)]
struct StateFile {
    #[serde(default)]
    resources: Vec<Resource>,
}

#[derive(Deserialize)]
struct Resource {
    mode: String,
    #[serde(rename = "type")]
    type_name: String,
    name: String,
    module: Option<String>,
    #[serde(default)]
    instances: Vec<Instance>,
}

#[derive(Deserialize)]
struct Instance {
    index_key: Option<Json>,
    attributes: Option<Attributes>,
}

#[derive(Deserialize)]
struct Attributes {
    id: Option<Json>,
}

impl Addresses {
    /// What a state file says; nothing if there is none or it cannot be read.
    pub(crate) fn read(path: Option<&Path>) -> Self {
        let small = |path: &&Path| path.metadata().is_ok_and(|metadata| metadata.len() <= LARGEST);
        let text = path.filter(small).and_then(|path| std::fs::read(path).ok());
        let state = text.and_then(|text| serde_json::from_slice::<StateFile>(&text).ok());
        let mut addresses = HashMap::new();
        for resource in
            state.into_iter().flat_map(|state| state.resources).filter(|resource| resource.mode == "managed")
        {
            for instance in &resource.instances {
                let Some(Json::String(id)) = instance.attributes.as_ref().and_then(|attributes| attributes.id.clone())
                else {
                    continue;
                };
                let address = Some(resource.address(instance));
                let known = addresses.entry((resource.type_name.clone(), id));
                known.and_modify(|known| *known = None).or_insert(address);
            }
        }
        Self(addresses)
    }

    /// The address of the only object of this type and id.
    pub(crate) fn find(&self, type_name: &str, id: &str) -> Option<&Address> {
        self.0.get(&(type_name.to_owned(), id.to_owned()))?.as_ref()
    }
}

impl Resource {
    fn address(&self, instance: &Instance) -> Address {
        let module = self.module.as_deref().map(|module| format!("{module}.")).unwrap_or_default();
        let key = instance.index_key.as_ref().map(|key| format!("[{key}]")).unwrap_or_default();
        Address {
            address: format!("{module}{}.{}{key}", self.type_name, self.name).into(),
            module: self.module.as_deref().map(Into::into),
            name: self.name.as_str().into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_unique_has_an_address() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("terraform.tfstate");
        let state = serde_json::json!({ "version": 4, "resources": [
            { "mode": "managed", "type": "t", "name": "a", "instances": [
                { "index_key": "x", "attributes": { "id": "1" } }, { "index_key": 2, "attributes": { "id": "2" } } ] },
            { "mode": "managed", "type": "t", "name": "b", "module": "module.m[0]", "instances": [
                { "attributes": { "id": "3" } }, { "attributes": { "id": "1" } }, { "attributes": {} } ] },
            { "mode": "data", "type": "t", "name": "c", "instances": [ { "attributes": { "id": "4" } } ] },
        ]});
        std::fs::write(&path, state.to_string()).unwrap();
        let addresses = Addresses::read(Some(&path));
        let find = |id| addresses.find("t", id).map(|address| address.address.to_string());
        assert_eq!(find("1"), None, "two objects have it");
        assert_eq!(find("2").as_deref(), Some("t.a[2]"));
        assert_eq!(find("3").as_deref(), Some("module.m[0].t.b"));
        assert_eq!(find("4"), None, "a data source");
        assert_eq!(addresses.find("t", "3").unwrap().module.as_deref(), Some("module.m[0]"));
        assert!(Addresses::read(None).0.is_empty());
    }
}
