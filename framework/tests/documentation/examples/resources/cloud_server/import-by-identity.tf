import {
  to = cloud_server.web
  identity = {
    id = 12
  }
}
