import { expect } from 'chai'
import * as door from '../../lib/console.ts'
import { exportsOf, namesIn, undocumented } from '../support/door.ts'

/** The exports of `sluiceway/console`; types are marked. Plugin authors notice every name that is added or removed. */
const DOOR = `
acceptsHtml, assetAt, breakable, BATCH_APIS, BATCH_ENDPOINTS, BATCH_PURPOSE, columnTable, CONFIRMED, confirmForm, cookieName, cookieSecret, csvOf, doneNote, durationText, emptyState, ERRORS, errorTitle, escapeHtml, fileOwner
filesUnavailable, filterBox, findPage, FORM_BYTES, formParser, hasEnded, html, HTML, htmlBadge, htmlFacts, htmlField, htmlMeter, htmlPlot, htmlStats, htmlTable, htmlWaterfall, idHtml, isManager, isOwnOrigin, isRequestId, isSecretLike, isSecure, isUuid
keyName, liveBar, loadMarkdown, mayCreateKeys, missingPage, moneyHtml, nameHtml, MAX_ALERTS, MAX_FIND_LENGTH, MAX_OWN_KEYS, PAGE_HEADERS, pageOf, pagesNamed, parseIso, priced, priceFactors, queryReader, schemaNames, sessionCookie, shellQuoted, SIGN_IN_SECONDS, sortFields, sortingOf
statusClass, storedName, SignInFailure, timeHtml, totalsBy, totalsOf, usesLink
type AccountRequestFilter, type AccountRequestPage, type AlertSubject, type Batch, type Batches, type BatchesConfig, type Column, type ErrorCode, type Files, type FindResult, type Html, type IssuedKey
type NewBatch, type NewOwnAlert, type OwnAccount, type OwnAlert, type OwnAlerts, type OwnKeyFields, type OwnKeys, type PricedRow, type Reached, type Refusal, type RequestFilter, type Role
type RouteName, type Save, type Series, type Shell, type Site, type Sorting, type Span, type SpanKind, type Stat, type StoredFile, type StoredKey, type StoredMember, type Totals
type UploadMetadata, type UsageFilter
`

describe('sluiceway/console', () => {
  it('exports exactly the names of this list', () => {
    expect(exportsOf('lib/console.ts', door)).deep.equal(namesIn(DOOR))
  })

  it('exports no name of sluiceway/plugin', () => {
    const other = new Set(exportsOf('lib/plugin.ts'))
    expect(exportsOf('lib/console.ts').filter(name => other.has(name))).deep.equal([])
  })

  it('documents every export where it is declared', () => {
    expect(undocumented('lib/console.ts')).deep.equal([])
  })
})
