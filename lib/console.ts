/**
 * `sluiceway/console`: the API for plugins that answer requests themselves (docs/PLUGINS.md#pages-and-reports). They
 * import plugin.ts, too.
 */

// ---------------------------------------------------------------- pages

export { CONFIRMED, confirmForm, doneNote, keyName } from './pages/actions.ts'
export { assetAt } from './pages/assets.ts'
export { type Column, columnTable } from './pages/columns.ts'
export { htmlField, type Refusal } from './pages/field.ts'
export { type FindResult, findPage, isSecretLike, missingPage, pagesNamed } from './pages/find.ts'
export { type Html, html } from './pages/html.ts'
export { loadMarkdown } from './pages/load-markdown.ts'
export { moneyHtml } from './pages/money.ts'
export {
  breakable,
  durationText,
  emptyState,
  filterBox,
  htmlBadge,
  htmlFacts,
  htmlMeter,
  htmlStats,
  idHtml,
  liveBar,
  nameHtml,
  type Stat,
  timeHtml,
} from './pages/parts.ts'
export { HTML, MAX_FIND_LENGTH, PAGE_HEADERS, pageOf, type Shell, type Site } from './pages/shell.ts'
export { type Sorting, sortFields, sortingOf } from './pages/sorting.ts'
export { statusClass } from './pages/status.ts'
export { htmlPlot, htmlTable, type Series } from './pages/table.ts'
export { htmlWaterfall, type Span, type SpanKind } from './pages/waterfall.ts'
export { csvOf } from './text/csv.ts'
export { escapeHtml } from './text/html.ts'
export { shellQuoted } from './text/quoted.ts'

// ---------------------------------------------------------------- sessions and sign-in

export { SignInFailure } from './oidc/failure.ts'
export { SIGN_IN_SECONDS } from './oidc/sign-in.ts'
export { acceptsHtml, isOwnOrigin, usesLink } from './pages/fetch-metadata.ts'
export { cookieSecret, isSecure, type Reached, sessionCookie } from './pages/session-cookie.ts'
export { cookieName } from './store/console-sessions.ts'

// ---------------------------------------------------------------- accounts, members and keys

export type { AlertSubject, NewOwnAlert, OwnAlert, OwnAlerts } from './customer-alerts/own-alerts.ts'
export type { Role, StoredMember } from './store/accounts.ts'
export { MAX_ALERTS } from './store/customer-alerts.ts'
export type { StoredKey } from './store/keys.ts'
export { isManager, type OwnAccount } from './store/own-accounts.ts'
export { type IssuedKey, MAX_OWN_KEYS, mayCreateKeys, type OwnKeyFields, type OwnKeys } from './store/own-keys.ts'

// ---------------------------------------------------------------- reports

export { isUuid } from './base/ids.ts'
export { parseIso } from './base/time.ts'
export { type PricedRow, priced, priceFactors, type Totals, totalsBy, totalsOf } from './limits/usage-cost.ts'
export { queryReader } from './schemas/query.ts'
export type { AccountRequestFilter, AccountRequestPage } from './store/queries/account-requests.ts'
export { isRequestId, type RequestFilter } from './store/queries/requests.ts'
export type { UsageFilter } from './store/queries/usage.ts'

// ---------------------------------------------------------------- uploaded files and batches

export { BATCH_APIS, BATCH_ENDPOINTS, type Batch, type Batches, hasEnded, type NewBatch } from './batches/batch.ts'
export { FORM_BYTES, formParser } from './body/index.ts'
export type { BatchesConfig } from './config/config.ts'
export {
  BATCH_PURPOSE,
  type Files,
  type Save,
  type StoredFile,
  storedName,
  type UploadMetadata,
} from './files/files.ts'
export { filesUnavailable } from './files/in-time.ts'
export { fileOwner } from './files/owner.ts'

// ---------------------------------------------------------------- the description of the API

export { ERRORS, type ErrorCode } from './errors/errors.ts'
export { errorTitle } from './errors/titles.ts'
export type { RouteName } from './routes/routes.ts'
export { schemaNames } from './schemas/read.ts'
