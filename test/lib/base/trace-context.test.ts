import { expect } from 'chai'
import { traceContextOf } from '../../../lib/base/trace-context.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'
const VALID = `00-${TRACE}-${PARENT}-01`

describe('trace-context', () => {
  it('has the unchanged headers and the id of the trace', () => {
    const tracestate = 'congo=t61rcWkgMzE,rojo=00f067aa0ba902b7'
    expect(traceContextOf({ traceparent: VALID, tracestate })).deep.equal({
      traceId: TRACE,
      traceparent: VALID,
      tracestate,
    })
    expect(traceContextOf({ traceparent: VALID })?.tracestate).equal(undefined)
  })

  it('accepts any flags, and more members of later versions', () => {
    for (const traceparent of [
      `00-${TRACE}-${PARENT}-00`,
      `00-${TRACE}-${PARENT}-ff`,
      `01-${TRACE}-${PARENT}-01`,
      `01-${TRACE}-${PARENT}-01-`,
      `cc-${TRACE}-${PARENT}-01-what-the-future-brings.{}`,
    ])
      expect(traceContextOf({ traceparent })?.traceparent).equal(traceparent)
  })

  it('is null if receivers must ignore it', () => {
    for (const traceparent of [
      undefined,
      '',
      TRACE,
      `ff-${TRACE}-${PARENT}-01`,
      `00-${'0'.repeat(32)}-${PARENT}-01`,
      `00-${TRACE}-${'0'.repeat(16)}-01`,
      `00-${TRACE.toUpperCase()}-${PARENT}-01`,
      `0-${TRACE}-${PARENT}-01`,
      `00-${TRACE.slice(1)}-${PARENT}-01`,
      `00-${TRACE}-${PARENT}-1`,
      `00-${TRACE}-${PARENT}-0g`,
      `00-${TRACE}-${PARENT}-01-more`,
      `00-${TRACE}-${PARENT}-01-`,
      `01-${TRACE}-${PARENT}-01.more`,
      `01-${TRACE}-${PARENT}-01-a b`,
      `01-${TRACE}-${PARENT}-01-é`,
      `01-${TRACE}-${PARENT}-01-${'x'.repeat(5000)}`,
      ` ${VALID}`,
      // Node joins two headers like this.
      `${VALID}, ${VALID}`,
      `01-${TRACE}-${PARENT}-01, ${VALID}`,
    ])
      expect(traceContextOf(traceparent === undefined ? {} : { traceparent }), traceparent).equal(null)
    expect(traceContextOf({ tracestate: 'a=1' })).equal(null)
  })

  it('keeps lists that match the grammar', () => {
    for (const tracestate of [
      'a=1',
      'a=1, b=2',
      'a=1\t,\tb=2',
      'a=1,,b=2,',
      'a= 1',
      '0a=1',
      'a_-*/=1',
      'tenant@system=1',
      '0tenant@system=1',
      `${'k'.repeat(256)}=${'v'.repeat(256)}`,
      `${'k'.repeat(241)}@${'s'.repeat(14)}=1`,
      Array.from({ length: 32 }, (_, i) => `k${i}=1`).join(','),
      // The receiver handles duplicate keys.
      'a=1,a=2',
    ])
      expect(traceContextOf({ traceparent: VALID, tracestate })?.tracestate, tracestate).equal(tracestate)
  })

  it('drops all other lists, and keeps the trace', () => {
    for (const tracestate of [
      '',
      ',',
      'a',
      'a=',
      '=1',
      'A=1',
      'a =1',
      'a=1=2',
      'a=1,b',
      'a=é',
      '@s=1',
      't@=1',
      't@0s=1',
      't@s@u=1',
      `${'k'.repeat(257)}=1`,
      `a=${'v'.repeat(257)}`,
      `${'k'.repeat(242)}@s=1`,
      `k@${'s'.repeat(15)}=1`,
      Array.from({ length: 33 }, (_, i) => `k${i}=1`).join(','),
      Array.from({ length: 30 }, (_, i) => `k${i}=${'v'.repeat(250)}`).join(','),
    ])
      expect(traceContextOf({ traceparent: VALID, tracestate }), tracestate).deep.equal({
        traceId: TRACE,
        traceparent: VALID,
        tracestate: undefined,
      })
  })
})
