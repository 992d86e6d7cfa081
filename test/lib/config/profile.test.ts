import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { ENGINES, PROFILES } from '../../../lib/config/profile.ts'
import { configOf } from '../../support/config.ts'

interface Schema {
  readonly properties: Readonly<Record<string, object>>
}

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../schemas/config/${name}.json`, import.meta.url), 'utf8')) as Schema

describe('config/profile', () => {
  it('has one for every engine that a configuration can name', () => {
    expect(Object.keys(PROFILES).sort()).deep.equal([...ENGINES].sort())
    expect(read('backend').properties.engine).deep.include({ enum: [...ENGINES] })
  })

  it('has the members that a configuration can set one by one', () => {
    for (const engine of ENGINES)
      expect(Object.keys(PROFILES[engine]).sort(), engine).deep.equal(Object.keys(read('profile').properties).sort())
  })

  it('holds what a configuration would accept', () => {
    for (const engine of ENGINES) {
      const backend = { url: 'http://127.0.0.1:8000/v1', engine, profile: PROFILES[engine] }
      const config = configOf(JSON.stringify({ models: [{ id: 'm', backends: [backend] }] }))
      expect(config.models[0]!.backends[0]!.profile).deep.equal(PROFILES[engine])
    }
  })

  it('overrides that of the engine member by member', () => {
    const backend = { url: 'http://127.0.0.1:8000/v1', engine: 'sglang', profile: { thinking_kwarg: 'thinking' } }
    const config = configOf(JSON.stringify({ models: [{ id: 'm', backends: [backend] }] }))
    expect(config.models[0]!.backends[0]!.profile).deep.equal({ ...PROFILES.sglang, thinking_kwarg: 'thinking' })
  })

  // The words by which real engines say that a queue is full or a prompt too long.
  it('knows its texts in lower case, for they are compared so', () => {
    for (const profile of Object.values(PROFILES)) {
      const lists = Object.entries(profile).filter(([name]) => name.endsWith('_patterns'))
      expect(lists.length).above(4)
      for (const text of lists.flatMap(([, texts]) => texts)) expect(text).equal(String(text).toLowerCase())
    }
  })
})
