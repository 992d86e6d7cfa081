/** Requests that arrive on a connection before the response to the one before them is complete: HTTP pipelining. */
import type { RequestListener, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

/** Requests of one connection that may wait. No known client pipelines at all. */
const MAX_WAITING = 100

interface Connection {
  /** Response to the newest request; null: it is complete. A connection that waits must not keep a request with its body. */
  last: ServerResponse | null
  /** Requests that have not begun. */
  waiting: number
}

/**
 * Begins the requests of a connection one after the other. Node would begin a pipelined request at once, but does not
 * report it when its client disconnects before the response has its turn (docs/adr/0022-pipelined-requests-wait.md).
 */
export class RequestQueue {
  readonly #connections = new WeakMap<Duplex, Connection>()
  readonly #begin: RequestListener
  /** One function for all responses. */
  readonly #onClose: (this: ServerResponse) => void

  /** `begin` is called for each request when the response before it is complete; never after a disconnect. */
  constructor(begin: RequestListener) {
    this.#begin = begin
    const connections = this.#connections
    this.#onClose = function () {
      const connection = connections.get(this.req.socket)
      if (connection?.last === this) connection.last = null
    }
  }

  readonly add: RequestListener = (req, res) => {
    const { socket } = req
    const connection = this.#connections.get(socket)
    const before = connection && unfinishedOf(connection)
    res.on('close', this.#onClose)
    if (connection === undefined) {
      this.#connections.set(socket, { last: res, waiting: 0 })
    } else if (before === undefined) {
      connection.last = res
    } else {
      if (++connection.waiting > MAX_WAITING) return void socket.destroy()
      before.once('close', () => {
        connection.waiting--
        if (!socket.destroyed) this.#begin(req, res)
      })
      connection.last = res
      return
    }
    this.#begin(req, res)
  }

  /** True where the connection has had a request, and all of them have their responses. */
  isIdle(socket: Duplex): boolean {
    const connection = this.#connections.get(socket)
    return connection !== undefined && unfinishedOf(connection) === undefined
  }

  /** The last response of a connection that is not complete; undefined: there is none. */
  unfinished(socket: Duplex): ServerResponse | undefined {
    const connection = this.#connections.get(socket)
    return connection && unfinishedOf(connection)
  }
}

/** `last` is complete a moment before its `close` is reported. */
function unfinishedOf({ last }: Connection): ServerResponse | undefined {
  return last === null || last.writableFinished ? undefined : last
}
