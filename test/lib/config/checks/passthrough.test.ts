import { expect } from 'chai'
import { configOf, problemsOf } from '../../../support/config.ts'

const file = (passthrough: readonly string[], backend: object = {}, model: object = {}) =>
  JSON.stringify({
    models: [
      { id: 'm', passthrough, backends: [{ url: 'http://127.0.0.1:8000/v1', engine: 'vllm', ...backend }], ...model },
    ],
  })

describe('checks on passthrough', () => {
  it('accept sets, members of the engine, and members that the gateway reads anyway', () => {
    const config = configOf(file(['vllm', 'stop_token_ids', 'min_p', 'chat_template_kwargs.custom']))
    expect(config.models[0]!.passthrough).include('stop_token_ids').and.not.include('min_p')
  })

  for (const name of ['priority', 'cache_salt', 'request_id', 'session_id', 'kv_transfer_params', 'lora_path', 'rid'])
    it(`refuse ${name}`, () => {
      const problem = `'${name}' is set by the gateway and cannot be passed through`
      expect(problemsOf(file([name]))).deep.equal([`models.0.passthrough.0: ${problem}`])
      expect(problemsOf(file([], { profile: { passthrough_members: [name] } }))).deep.equal([
        `models.0.backends.0.profile.passthrough_members.0: ${problem}`,
      ])
    })

  it('refuse names that no backend would be sent', () => {
    expect(problemsOf(file(['ebnf']))).deep.equal([
      "models.0.passthrough.0: is not passed on: the profile of a backend does not list 'ebnf' in passthrough_members",
    ])
    expect(configOf(file(['own'], { profile: { passthrough_members: ['own'] } })).models[0]!.passthrough).eql(['own'])
  })

  it('refuse members that the gateway reads in a profile, and models of other kinds', () => {
    expect(problemsOf(file([], { profile: { passthrough_members: ['messages'] } }))).deep.equal([
      "models.0.backends.0.profile.passthrough_members.0: 'messages' is a member that the gateway reads itself",
    ])
    expect(problemsOf(file(['vllm'], {}, { kind: 'embedding' }))).deep.equal([
      'models.0.passthrough.0: only a model of kind chat passes members on',
    ])
  })

  it('refuse what is no name', () => {
    expect(problemsOf(file(['a.b']))[0]).include('must be the name of a member')
  })
})
