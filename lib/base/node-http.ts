/**
 * The values of Node's `http` module. An `import` of `node:http` reads every export of it, and one of them is a WebSocket that
 * loads the whole copy of undici inside Node: 5 MB of memory and a twentieth of a start, for nothing (Node 24.21). Types may be
 * imported: nothing is left of them.
 */
const http = process.getBuiltinModule('node:http')

export const { Agent, createServer, STATUS_CODES, validateHeaderName, validateHeaderValue } = http
