import { expect } from 'chai'
import pino from 'pino'
import { redisChannel } from '../../../../lib/routing/sharing/channel.ts'
import { eventually } from '../../../support/gateway.ts'
import { useRedis } from '../../../support/services.ts'

const log = pino({ enabled: false })

describe('redisChannel', () => {
  const url = useRedis()

  it('sends messages to all processes with the same secret, and to no other', async () => {
    const heard: Record<string, string[]> = { a: [], b: [], other: [] }
    const channels = Object.entries({ a: 'one secret', b: 'one secret', other: 'another' }).map(([name, secret]) =>
      redisChannel({ url: url(), secret, log, receive: message => heard[name]!.push(message) }),
    )
    try {
      await eventually(() => {
        channels[0]!.publish('hello')
        return heard.b!.includes('hello') && heard.a!.includes('hello')
      }, 'heard')
      expect(heard.other).deep.equal([])
    } finally {
      for (const channel of channels) channel.close()
    }
  })

  it('notices processes of the same database with another secret, in whatever order they start', async () => {
    const database = (db: number) => `${url().replace(/\/\d*$/, '')}/${db}`
    const lines: string[] = []
    const logOf = (name: string) => pino({ base: { name } }, { write: (line: string) => lines.push(line) })
    const open = (name: string, secret: string, db = 9) =>
      redisChannel({ url: database(db), secret, log: logOf(name), receive: () => {} })
    const first = open('first', 'one secret')
    const same = open('same', 'one secret')
    const elsewhere = open('elsewhere', 'another', 8)
    let other: ReturnType<typeof open> | undefined
    try {
      let isHeard = false
      const listening = redisChannel({
        ...{ url: database(9), secret: 'one secret', log },
        receive: () => {
          isHeard = true
        },
      })
      await eventually(() => {
        first.publish('hello')
        return isHeard
      }, 'connected')
      listening.close()
      expect([first, same, elsewhere].map(one => one.notes())).deep.equal([[], [], []])
      other = open('other', 'another')
      await eventually(() => [first, same, other!].every(one => one.notes().length > 0), 'noticed')
      const note = 'other gateways at this Redis have another cache_isolation_key, or none'
      for (const one of [first, same, other]) expect(one.notes().join()).include(note)
      expect(elsewhere.notes()).deep.equal([])
      const warned = lines.map(line => JSON.parse(line) as { name: string; msg: string; level: number })
      expect(warned.map(({ name, level }) => `${name} ${level}`).toSorted()).deep.equal([
        'first 40',
        'other 40',
        'same 40',
      ])
      expect(warned.every(({ msg }) => msg.includes(note))).equal(true)
    } finally {
      for (const channel of [first, same, elsewhere, other]) channel?.close()
    }
  })

  it('loses messages while Redis is unavailable, and does not wait', () => {
    const channel = redisChannel({ url: 'redis://127.0.0.1:1', secret: 'secret', log, receive: () => {} })
    channel.publish('lost')
    channel.close()
  })
})
