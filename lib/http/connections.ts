import type { Server } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Linked, LinkedList } from '../base/linked-list.ts'

/** Why a connection was closed: `idle` for a new one of its address, `refused`: none of these was idle. */
export type ConnectionClosed = 'idle' | 'refused'

interface Connection extends Linked<Connection> {
  readonly socket: Socket
}

/** The connections of one address. There is one while it has any. */
interface Address {
  open: number
  /**
   * Connections that carry HTTP, oldest first: with TLS only after the handshake. No Set: its iterator would keep all connections that
   * have ever been in it.
   */
  readonly connections: LinkedList<Connection>
  /** Where the next search for an idle connection begins; null: at the oldest. */
  next: Connection | null
}

/** Most connections that one search looks at: an address over its limit must not cost more than one below it. */
const MOST_SEARCHED = 1000

/**
 * Bounds the connections of one client address, where no key is known yet (docs/adr/0059). At the limit a connection that waits for
 * its next request makes place for a new one; where there is none, the new one is closed. Outlives a reload.
 */
export class Connections {
  #limit: number
  #open = 0
  readonly #addresses = new Map<string, Address>()
  /** Called for each connection that is closed because of the limit. */
  onClosed: (reason: ConnectionClosed) => void = () => {}

  constructor(limit: number = Number.POSITIVE_INFINITY) {
    this.#limit = limit
  }

  /** Applies to connections that are accepted from now on. */
  update(limit: number): void {
    this.#limit = limit
  }

  /** Open connections. */
  get open(): number {
    return this.#open
  }

  /** Addresses with a connection. */
  get addresses(): number {
    return this.#addresses.size
  }

  /** Counts the connections of this server. `isIdle`: it has had a request, and waits for another one. */
  watch(server: Server, isIdle: (socket: Duplex) => boolean): void {
    const isTls = server instanceof https.Server
    server.on('connection', (socket: Socket) => {
      const name = networkOf(socket.remoteAddress)
      // The client has disconnected already, or it is no connection of a network.
      if (name === undefined) return
      const address = this.#addresses.get(name)
      if (address !== undefined && address.open >= this.#limit && !this.#closeIdle(address, isIdle)) {
        this.onClosed('refused')
        return socket.destroy()
      }
      this.#add(name, socket, isTls)
    })
    if (isTls) server.on('secureConnection', (socket: Socket) => this.#secured(socket))
  }

  #add(name: string, socket: Socket, isTls: boolean): void {
    let address = this.#addresses.get(name)
    if (address === undefined) {
      address = { open: 0, connections: new LinkedList(), next: null }
      this.#addresses.set(name, address)
    }
    address.open++
    this.#open++
    if (!isTls) list(socket, address)
    socket.once('close', () => {
      this.#open--
      if (--address.open === 0) this.#addresses.delete(name)
    })
  }

  #secured(socket: Socket): void {
    const address = this.#addresses.get(networkOf(socket.remoteAddress) ?? '')
    if (address !== undefined) list(socket, address)
  }

  /** Closes a connection that waits for its next request. False: none was found. */
  #closeIdle(address: Address, isIdle: (socket: Duplex) => boolean): boolean {
    for (let left = Math.min(address.open, MOST_SEARCHED); left > 0; left--) {
      const found = address.next ?? address.connections.first
      if (found === null) return false
      address.next = found.next
      const { socket } = found
      if (socket.destroyed || !isIdle(socket)) continue
      this.onClosed('idle')
      socket.destroy()
      return true
    }
    return false
  }
}

/** Until it is closed. */
function list(socket: Socket, address: Address): void {
  const connection: Connection = { socket, previous: null, next: null, isListed: false }
  address.connections.add(connection)
  socket.once('close', () => {
    if (address.next === connection) address.next = connection.next
    address.connections.delete(connection)
  })
}

const MAPPED = '::ffff:'

/**
 * What counts as one address: an address of IPv4, and the first 64 bits of one of IPv6, which is what a single customer of a
 * provider gets at least. undefined: none.
 */
export function networkOf(address: string | undefined): string | undefined {
  if (address === undefined || !address.includes(':')) return address
  if (address.startsWith(MAPPED) && address.includes('.')) return address.slice(MAPPED.length)
  const [head = '', tail] = address.split('%')[0]!.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const behind = tail === '' ? 0 : tail.split(':').length
    while (groups.length + behind < 8 && groups.length < 4) groups.push('0')
    if (groups.length < 4) groups.push(...tail.split(':'))
  }
  return `${groups.slice(0, 4).join(':')}::/64`
}
