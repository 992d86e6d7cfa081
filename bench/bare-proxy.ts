/** The baseline: http-proxy-3 alone, with a keep-alive agent. Arguments: its port, the backend's port. */
import http from 'node:http'
import { createProxyServer } from 'http-proxy-3'

const [port, backendPort] = process.argv.slice(2).map(Number)
const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 1024 })
const proxy = createProxyServer({ target: `http://127.0.0.1:${backendPort}`, agent })
proxy.on('error', (_error, _req, res) => res.destroy())
http.createServer((req, res) => proxy.web(req, res)).listen(port, '127.0.0.1')
