terraform import cloud_server.web 12
