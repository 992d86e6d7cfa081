import type { Backend } from '../../lib/backends/pool.ts'
import { type EngineJob, EngineModel } from '../../simulator/engine-model.ts'
import type { EngineSpeed } from '../../simulator/engine-speed.ts'
import type { VirtualTime } from './virtual-time.ts'

/** Engines that are killed together and restart with empty caches. Times are not compressed. */
export interface Outage {
  /** Number of engines that fail: the first ones of the list. */
  readonly engines: number
  readonly from: number
  readonly until: number
}

/** A request that was sent to an engine. */
export interface Flight {
  readonly job: EngineJob
  /** The engine has been killed. */
  broken(): void
}

/** Time between two health checks of a backend, not compressed. */
const CHECK_MS = 5000

/** Modelled engines behind backends, in virtual time. */
export class VirtualEngines {
  readonly #speeds: ReadonlyMap<Backend, EngineSpeed>
  readonly #engines: Map<Backend, EngineModel>
  readonly #flights: ReadonlyMap<Backend, Set<Flight>>
  readonly #killed = new Set<Backend>()
  /** Prompt tokens that killed engines had computed. */
  readonly #computedBefore = new Map<Backend, number>()

  constructor(speeds: Iterable<readonly [Backend, EngineSpeed]>) {
    this.#speeds = new Map(speeds)
    const all = [...this.#speeds.keys()]
    this.#engines = new Map(all.map(backend => [backend, new EngineModel(this.#speeds.get(backend)!)]))
    this.#flights = new Map(all.map(backend => [backend, new Set()]))
  }

  get backends(): Iterable<Backend> {
    return this.#engines.keys()
  }

  /** Prompt tokens that each engine has computed. */
  get computed(): number[] {
    return Array.from(this.#engines, ([backend, { computed }]) => computed + (this.#computedBefore.get(backend) ?? 0))
  }

  of(backend: Backend): EngineModel {
    return this.#engines.get(backend)!
  }

  /** The engine whose step ends first, if it ends before this time. */
  earliest(before: number): EngineModel | undefined {
    let next = before
    let found: EngineModel | undefined
    for (const engine of this.#engines.values()) {
      if (engine.next >= next) continue
      next = engine.next
      found = engine
    }
    return found
  }

  /** False: the engine is down, and the connection is refused. */
  submit(backend: Backend, flight: Flight, at: number): boolean {
    if (this.#killed.has(backend)) return false
    this.#flights.get(backend)!.add(flight)
    this.of(backend).submit(flight.job, at)
    return true
  }

  /** The request has been answered or cancelled. */
  done(backend: Backend, flight: Flight): void {
    this.#flights.get(backend)!.delete(flight)
  }

  /** All engines lose their caches at this time. The gateway does not notice. */
  dropCaches(at: number, time: VirtualTime): void {
    time.after(at, () => {
      for (const engine of this.#engines.values()) engine.dropCache()
    })
  }

  /** Plans an outage, and the health checks that detect its end. `times`: factor by which time is compressed. */
  plan({ engines, from, until }: Outage, time: VirtualTime, times: number): void {
    const backends = [...this.backends].slice(0, engines)
    time.after(from / times, () => {
      for (const backend of backends) this.#kill(backend)
      this.#check(backends, time, times)
    })
    time.after(until / times, () => {
      for (const backend of backends) this.#killed.delete(backend)
    })
  }

  #kill(backend: Backend): void {
    this.#killed.add(backend)
    const { computed } = this.of(backend)
    this.#computedBefore.set(backend, computed + (this.#computedBefore.get(backend) ?? 0))
    this.#engines.set(backend, new EngineModel(this.#speeds.get(backend)!))
    const flights = [...this.#flights.get(backend)!]
    this.#flights.get(backend)!.clear()
    for (const flight of flights) flight.broken()
  }

  /** Checks until all engines are healthy. The probe request after a successful check is answered at once. */
  #check(backends: readonly Backend[], time: VirtualTime, times: number): void {
    time.after(CHECK_MS / times, () => {
      for (const backend of backends) {
        const isUp = !this.#killed.has(backend)
        backend.health.checked(isUp)
        if (isUp && !backend.health.isUsable && backend.health.probeDue()) backend.health.probed('ok')
      }
      if (backends.some(({ health }) => !health.isUsable) || this.#killed.size > 0) this.#check(backends, time, times)
    })
  }
}
