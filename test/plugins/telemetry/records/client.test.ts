import { expect } from 'chai'
import { CLIENTS } from '../../../../lib/store/record.ts'
import { clientOf } from '../../../../plugins/telemetry/records/client.ts'

/** Headers as these clients send them. */
const SENT = {
  'claude-code': ['claude-cli/2.1.4 (external, cli)', 'claude-cli/2.0.1 (external, sdk-ts)', 'claude-code/2.1.0'],
  codex: ['codex_exec/0.169.0 (Linux 6.1; x86_64) xterm', 'codex_cli_rs/0.46.0', 'codex_vscode/0.5.1'],
  cline: ['Cline/3.35.0'],
  continue: ['Continue/1.2.8'],
  'qwen-code': ['QwenCode/0.4.1 (linux; x64)'],
  opencode: ['opencode/1.0.4 ai-sdk/provider-utils/3.0.17 runtime/bun/1.3.2'],
  'openai-sdk': ['OpenAI/Python 2.8.1', 'AsyncOpenAI/Python 2.8.1', 'AsyncAzureOpenAI/Python 2.8.1', 'OpenAI/JS 6.9.0'],
  'anthropic-sdk': ['Anthropic/Python 0.75.0', 'AsyncAnthropic/Python 0.75.0', 'Anthropic/JS 0.71.0'],
  'vercel-ai': [
    'ai/6.0.1 ai-sdk/provider-utils/4.0.0 runtime/node.js/24',
    'ai-sdk/openai-compatible/2.0.0',
    'my-app, ai/6',
  ],
  langchain: ['langchainjs-openai/1.0.0 ((node/v24.0.0; linux; x64))', 'langchain-anthropic/1.0.0'],
  curl: ['curl/8.14.1'],
  other: ['python-requests/2.32', 'Mozilla/5.0', 'node', 'said/1', 'x curl/8', ''],
} as const satisfies Record<(typeof CLIENTS)[number], readonly string[]>

describe('the family of a client', () => {
  for (const [family, agents] of Object.entries(SENT)) {
    it(`is ${family}`, () => {
      expect(agents.map(clientOf)).deep.equal(agents.map(() => family))
    })
  }

  it('is other without the header, and never a text of the client', () => {
    expect(clientOf(undefined)).equal('other')
    expect(Object.keys(SENT).sort()).deep.equal([...CLIENTS].sort())
  })
})
