import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { ERRORS, type ErrorCode, fail, failure, GatewayError, toGatewayError } from '../../../lib/errors/errors.ts'
import { allErrors } from '../../support/error-codes.ts'

/** Status and type of every code that docs/api/errors.md#codes promises. */
const SPECIFIED: Readonly<Record<string, readonly [status: number, type: string]>> = {
  schema_validation_failed: [422, 'invalid_request_error'],
  tool_schema_invalid: [400, 'invalid_request_error'],
  tool_choice_unknown_tool: [400, 'invalid_request_error'],
  orphan_tool_message: [400, 'invalid_request_error'],
  missing_tool_call_id: [400, 'invalid_request_error'],
  unsupported_parameter: [400, 'invalid_request_error'],
  unsupported_feature: [400, 'invalid_request_error'],
  unsupported_response_format: [400, 'invalid_request_error'],
  unsupported_regex: [400, 'invalid_request_error'],
  unsupported_tool_type: [400, 'invalid_request_error'],
  json_schema_refs_unsupported: [400, 'invalid_request_error'],
  duplicate_tool_name: [400, 'invalid_request_error'],
  context_length_exceeded: [400, 'invalid_request_error'],
  model_not_found: [404, 'invalid_request_error'],
  model_not_allowed: [403, 'invalid_request_error'],
  invalid_zdr_header: [400, 'invalid_request_error'],
  invalid_request_tag: [400, 'invalid_request_error'],
  // The specification allows 422 and 400. The default is the 400 of the header; account policy sets 422.
  model_zdr_not_supported: [400, 'invalid_request_error'],
  file_id_not_allowed_with_zdr: [400, 'invalid_request_error'],
  invalid_json_request: [400, 'invalid_request_error'],
  request_body_too_large: [413, 'invalid_request_error'],
  model_request_rejected: [400, 'invalid_request_error'],
  unsupported_input_item: [400, 'invalid_request_error'],
  invalid_tool: [400, 'invalid_request_error'],
  missing_tool_name: [400, 'invalid_request_error'],
  missing_api_key: [401, 'authentication_error'],
  invalid_api_key: [401, 'authentication_error'],
  http_403: [403, 'permission_error'],
  files_require_user_key: [403, 'permission_error'],
  concurrency_limit_exceeded: [429, 'rate_limit_error'],
  request_quota_exceeded: [429, 'rate_limit_error'],
  rate_limit_exceeded: [429, 'rate_limit_error'],
  request_memory_exceeded: [429, 'rate_limit_error'],
  batch_limit_exceeded: [429, 'rate_limit_error'],
  backend_at_capacity: [429, 'rate_limit_error'],
  backend_overloaded: [429, 'rate_limit_error'],
  insufficient_credits: [402, 'insufficient_credits'],
  no_healthy_backends: [503, 'routing_error'],
  backend_timeout: [504, 'routing_error'],
  backend_connect_error: [502, 'routing_error'],
  backend_http_error: [502, 'server_error'],
  gateway_overloaded: [503, 'server_error'],
  internal_error: [500, 'internal_error'],
}

/** Codes of this gateway that the specification lacks: refusals of the protocol, and the drain. */
const OWN: ReadonlySet<string> = new Set(['shutting_down', ...Object.keys(ERRORS).filter(code => /^http_4/.test(code))])

const pages = new URL('../../../docs/errors/', import.meta.url)

describe('errors', () => {
  it('names no member of chat completions in messages that other APIs also have', () => {
    const details = { model: 'm', format: 'grammar', where: '' }
    expect(failure('missing_tool_call_id', {}).message).equal('A tool result needs the id of the call that it answers.')
    expect(failure('unsupported_response_format', details).message).equal(
      "Model 'm' does not support the response format 'grammar'.",
    )
  })

  it('has every code of the specification, with its status and bucket, and no other but its own', () => {
    for (const [code, [status, type]] of Object.entries(SPECIFIED)) {
      expect(ERRORS, code).to.have.property(code)
      const [ownStatus, ownType] = ERRORS[code as ErrorCode]
      expect([ownStatus, ownType], code).deep.equal([status, type])
    }
    const extra = Object.keys(ERRORS).filter(code => !(code in SPECIFIED) && !OWN.has(code))
    expect(extra).deep.equal([])
  })

  it('has a page for every code and a code for every page', async () => {
    const all = await allErrors()
    for (const [code, [status]] of Object.entries(all)) {
      const page = new URL(`${code}.md`, pages)
      expect(existsSync(page), `docs/errors/${code}.md`).equal(true)
      const text = readFileSync(page, 'utf8')
      expect(text, code).match(new RegExp(`^# \`${code}\``))
      expect(text, code).contain(String(status))
    }
    const orphans = readdirSync(pages).filter(file => !(file.replace(/\.md$/, '') in all))
    expect(orphans).deep.equal([])
  })

  it('fills the placeholders of its message', () => {
    const error = failure('unsupported_feature', { model: 'm', feature: 'n > 1' }, { param: 'n' })
    expect(error.message).equal("Model 'm' does not support n > 1.")
    expect(error).include({ status: 400, code: 'unsupported_feature', type: 'invalid_request_error' })
    expect(error.details.param).equal('n')
  })

  it('does not treat a filled-in text as a template', () => {
    expect(failure('model_not_allowed', { model: '{model}{x}' }).message).contain("'{model}{x}'")
  })

  it('throws refusals, and hides every other error', () => {
    expect(() => fail('missing_api_key', {})).throw(GatewayError)
    const hidden = toGatewayError(new TypeError('/etc/secret is not a function'))
    expect(hidden).include({ code: 'internal_error', status: 500 })
    expect(hidden.message).not.contain('secret')
    expect(hidden.details.cause).instanceOf(TypeError)
  })

  it('does not change the stack depth of other errors', () => {
    const limit = Error.stackTraceLimit
    failure('missing_api_key', {})
    expect(Error.stackTraceLimit).equal(limit)
  })
})
