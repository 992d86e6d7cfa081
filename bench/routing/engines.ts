/**
 * A process with timed engines. Arguments: their number, and an EngineSpeed and TimedEngineOptions as JSON. Prints
 * their ports as JSON.
 */
import type { EngineSpeed } from '../../simulator/engine-speed.ts'
import { createTimedEngine, type TimedEngineOptions } from '../../simulator/timed-engine.ts'

const [count, speed, options] = process.argv.slice(2)
const engines = Array.from({ length: Number(count) }, () =>
  createTimedEngine(JSON.parse(speed!) as EngineSpeed, JSON.parse(options!) as TimedEngineOptions),
)
const ports = await Promise.all(engines.map(engine => engine.listen(0, '127.0.0.1')))
process.stdout.write(`${JSON.stringify(ports)}\n`)
