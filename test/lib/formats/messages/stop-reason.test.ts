import { expect } from 'chai'
import { stopOf } from '../../../../lib/formats/messages/stop-reason.ts'
import { chatRequest } from '../../../support/canonical.ts'

const request = chatRequest({ stop: ['END'] })

describe('Messages stop reason', () => {
  const cases: readonly (readonly [
    Parameters<typeof stopOf>[0],
    string | number | undefined,
    boolean,
    string,
    string?,
  ])[] = [
    ['stop', undefined, false, 'end_turn'],
    ['stop', 'END', false, 'stop_sequence', 'END'],
    ['stop', 'other', false, 'end_turn'],
    ['stop', 151645, false, 'end_turn'],
    ['stop', undefined, true, 'tool_use'],
    ['stop', 'END', true, 'tool_use'],
    ['tool_calls', undefined, true, 'tool_use'],
    ['tool_calls', undefined, false, 'end_turn'],
    ['length', undefined, false, 'max_tokens'],
    ['length', undefined, true, 'max_tokens'],
    ['content_filter', undefined, false, 'end_turn'],
    ['content_filter', undefined, true, 'end_turn'],
  ]
  for (const [finish, matched, calls, stop_reason, stop_sequence = null] of cases) {
    it(`${finish}, matched ${matched}, ${calls ? 'with' : 'without'} calls: ${stop_reason}`, () => {
      expect(stopOf(finish, matched, calls, request)).deep.equal({ stop_reason, stop_sequence })
    })
  }

  it('takes no matched string for a stop sequence when none was asked for', () => {
    expect(stopOf('stop', '</s>', false, chatRequest())).include({ stop_reason: 'end_turn' })
  })
})
