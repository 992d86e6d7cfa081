/** Other programs that the gateway is compared with, where they can be had. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'

export type Peer = 'portkey' | 'nginx'

const PORTKEY = '@portkey-ai/gateway@1.15.2'

const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'sluiceway-bench')

export const portkeyScript = join(cache, 'node_modules', '@portkey-ai', 'gateway', 'build', 'start-server.js')

/** Installs the other gateway beside the user's caches, once. False: no registry is reachable. */
export function installPortkey(): boolean {
  if (existsSync(portkeyScript)) return true
  mkdirSync(cache, { recursive: true })
  writeFileSync(join(cache, 'package.json'), '{"private":true}')
  const args = ['install', PORTKEY, '--no-audit', '--no-fund', '--loglevel=error']
  spawnSync('npm', args, { cwd: cache, stdio: 'ignore', timeout: 120_000 })
  return existsSync(portkeyScript)
}

/** Path of the program; undefined where it is not installed. */
export function findNginx(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin']
  return folders.map(folder => join(folder, 'nginx')).find(file => existsSync(file))
}

/** One process that keeps connections to the backend open, without an access log. */
export function nginxConfig(port: number, backendPort: number): string {
  return `daemon off; master_process off; worker_processes 1; pid nginx.pid; error_log stderr error;
events { worker_connections 8192; }
http {
  access_log off;
  client_max_body_size 0; client_body_buffer_size 64k; client_body_temp_path body;
  proxy_temp_path proxy; fastcgi_temp_path fastcgi; uwsgi_temp_path uwsgi; scgi_temp_path scgi;
  keepalive_requests 100000000;
  upstream backend { server 127.0.0.1:${backendPort}; keepalive 1024; keepalive_requests 100000000; }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://backend;
      proxy_http_version 1.1; proxy_set_header connection ""; proxy_buffering off; proxy_request_buffering off;
    }
  }
}
`
}
