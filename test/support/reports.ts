/** A store that records its queries and returns the rows of the test. */
import type { Reports } from '../../lib/store/reports.ts'
import { testServices } from '../../lib/testing.ts'

export interface FakeReports {
  readonly reports: Reports
  /** Name and arguments of every query, oldest first. */
  readonly asked: readonly (readonly unknown[])[]
}

export function fakeReports(answers: Partial<Reports> = {}): FakeReports {
  const asked: unknown[][] = []
  const all: Reports = { ...testServices().reports, ...answers }
  const noted =
    <A extends unknown[], R>(name: string, answer: (...question: A) => R) =>
    (...question: A): R => {
      asked.push([name, ...question])
      return answer(...question)
    }
  const reports: Reports = {
    requests: noted('requests', all.requests),
    request: noted('request', all.request),
    accountRequests: noted('accountRequests', all.accountRequests),
    accountRequest: noted('accountRequest', all.accountRequest),
    batch: noted('batch', all.batch),
    booked: noted('booked', all.booked),
    metrics: noted('metrics', all.metrics),
    usage: noted('usage', all.usage),
    members: noted('members', all.members),
  }
  return { reports, asked }
}
