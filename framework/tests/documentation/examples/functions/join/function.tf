output "name" {
  value = provider::cloud::join("-", { trim = true }, ["a"], ["b"])
}
