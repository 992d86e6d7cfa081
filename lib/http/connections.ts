import type { Server } from 'node:http'
import https from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { type Linked, LinkedList } from '../base/linked-list.ts'

/** `idle`: a new connection of the address replaced it. `refused`: it was new, and no other one was idle. */
type ConnectionClosed = 'idle' | 'refused'

interface Connection extends Linked<Connection> {
  readonly socket: Socket
}

/** The connections of one address. The entry exists while the address has connections. */
interface Address {
  open: number
  /**
   * Connections that carry HTTP, oldest first; TLS connections are added after their handshake. This is no Set, because
   * an iterator kept in place of `next` would retain deleted connections.
   */
  readonly connections: LinkedList<Connection>
  /** Where the next search for an idle connection starts; null: at the oldest connection. */
  next: Connection | null
}

/** How many connections one search checks at most, so that an address at its limit does not cost much CPU time. */
const MAX_SEARCHED = 1000

/**
 * Limits the connections of one client address, before any key is known (docs/adr/0059). At the limit, a new connection
 * replaces one that waits for its next request, or is closed if there is none. Outlives reloads.
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

  /** Sets the limit for connections that are accepted from now on. */
  update(limit: number): void {
    this.#limit = limit
  }

  get open(): number {
    return this.#open
  }

  /** Counts the connections of this server. `isIdle`: the connection has had a request, and waits for another one. */
  watch(server: Server, isIdle: (socket: Duplex) => boolean): void {
    const isTls = server instanceof https.Server
    server.on('connection', (socket: Socket) => {
      const name = networkOf(socket.remoteAddress)
      // The client has already disconnected, or this is no network socket.
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

  /** Closes a connection that waits for its next request. False: it found none. */
  #closeIdle(address: Address, isIdle: (socket: Duplex) => boolean): boolean {
    for (let left = Math.min(address.open, MAX_SEARCHED); left > 0; left--) {
      const connection = address.next ?? address.connections.first
      if (connection === null) return false
      address.next = connection.next
      const { socket } = connection
      if (socket.destroyed || !isIdle(socket)) continue
      this.onClosed('idle')
      socket.destroy()
      return true
    }
    return false
  }
}

/** Adds the connection to the list of its address, and removes it when it closes. */
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
 * By what connections are counted: an IPv4 address, or the first 64 bits of an IPv6 address. Providers assign at least
 * that to each customer. undefined: the socket has no address.
 */
function networkOf(address: string | undefined): string | undefined {
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
