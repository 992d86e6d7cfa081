import { type Html, html, mayCreateKeys, type OwnAccount } from '../../../lib/console.ts'
import { definePlugin } from '../../../lib/plugin.ts'
import { copied, curlOf, gatewayOrigin } from '../first-call.ts'
import { modelsOf } from '../models.ts'
import { replyPage, withNote } from '../page.ts'
import { requireVisitor } from '../sign-in.ts'
import { selectField } from '../view.ts'
import { tokenField, type Visitor } from '../visitor.ts'

const PROMPT = 'Say hello in three languages.'

export default definePlugin({
  name: 'console-try',
  summary: "The console's page with a prompt box.",
  routes: { route: ['console-try'] },

  setup: (_options, services) => ({
    async onHeaders(exchange) {
      const visitor = await requireVisitor(services, exchange)
      if (visitor === undefined) return
      const accounts = (await services.ownKeys.accounts(visitor.user)).filter(mayCreateKeys)
      const models = modelsOf(services, accounts, 'chat')
      const path = '/console/try'
      if (models.length === 0) {
        const note = 'There is no model that you could ask here.'
        return replyPage(exchange, visitor, { title: 'Try it', body: withNote(note, html``), path })
      }
      const body = tryPage({ visitor, accounts, models, origin: gatewayOrigin(services.config, exchange) })
      replyPage(exchange, visitor, { title: 'Try it', body, path, script: 'try.js' })
    },
  }),
})

interface TryPage {
  readonly visitor: Visitor
  /** Accounts whose models may be used; not empty. */
  readonly accounts: readonly OwnAccount[]
  /** Ids of the models that any of the accounts may use; not empty. */
  readonly models: readonly string[]
  /** Where clients reach the gateway. */
  readonly origin: string
}

/** `console/try.js` sends the form. Without scripts the page shows the command. */
function tryPage({ visitor, accounts, models, origin }: TryPage): Html {
  const options = (values: readonly string[]) => values.map(value => [value, value] as const)
  const command = curlOf({ origin, model: models[0]! }, PROMPT)
  return html`<noscript><p class="note">Asking from this page needs script. The command below asks without it.</p></noscript>
<form id="try" data-origin="${origin}">${tokenField(visitor)}
<div class="fields">
${selectField(
  'account',
  'Account',
  accounts.map(({ id, name }) => [id, name]),
  accounts[0]!.id,
)}
${selectField('model', 'Model', options(models), models[0]!)}
</div>
<label for="prompt">Prompt</label>
<textarea id="prompt" name="prompt" rows="5" required>${PROMPT}</textarea>
<p class="row"><button class="main" disabled>Ask</button><button type="button" id="stop" disabled>Stop</button></p>
</form>
<h2 id="answer-name">Answer</h2>
<div id="answer" class="answer" role="log" aria-labelledby="answer-name" tabindex="0"></div>
<p id="facts" role="status"></p>
<h2>The same request with curl</h2>
<p>Put the secret of a <a href="/console/keys">key</a> into <code>API_KEY</code>.</p>
${copied('the curl command', command)}
<p class="soft">What you ask here is served, limited and charged like any other request of the account. Neither prompt nor answer is kept.</p>`
}
