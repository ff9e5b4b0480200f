import { basename } from 'node:path'

/*
 * How much code a page may load before it is shown. The limits are alarms, with room for the product to grow: the
 * planner (chunks.ts) takes the plan that leaves most of it, and page-sizes.ts checks the build.
 */

export interface Limits {
  /** Bytes of compressed scripts. */
  js: number
  /** Bytes of compressed styles. */
  css: number
  requests: number
}

/** Pages of one record, or with its form; the queue of follow-ups shows a whole lead. */
const ofOneRecord =
  /(Terms|Lead|FollowUps|Ticket|Incident|TaskNotices|Requests?|Organization|Onboarding|CustomerView|Post|Kind|Faq|Documents?|MetaTags|Task|User|Contract|Senders|Templates|WebForms)Page$/
/** Pages that are open all day; they show their conversation before the form for answers has loaded. */
const strict: Readonly<Record<string, number>> = { TicketPage: 260_000, RequestPage: 260_000 }

/** Whether a module is a page that has limits; forms that have their own address have none. */
export const hasLimits = (module: string): boolean => /\/src\/.*Pages?\.tsx$/.test(`/${module}`)

/** Boards, each a layout of a list, with which it loads what drags cards (docs/decisions/017-boards.md). */
export const boards: Readonly<Record<string, string>> = {
  'features/crm/leads/list/web/LeadsPage.tsx': 'features/crm/leads/list/web/LeadBoardPage.tsx',
  'features/crm/support/web/SupportPage.tsx': 'features/crm/support/web/Board.tsx',
}

/** Limits of a list with its board. */
export const boardLimits: Limits = { js: 280_000, css: 30_000, requests: 32 }

/** Limits of a page together with the parts that it loads right after it is shown (e2e/bytes.e2e.ts). */
export const wholeLimits: Limits = { js: 300_000, css: 30_000, requests: 60 }

/** Returns the limits of the page in a module; `isAlone` is for pages outside the frame. */
export function limitsOf(module: string, isAlone: boolean): Limits {
  const name = basename(module, '.tsx')
  const js = isAlone ? 150_000 : (strict[name] ?? (ofOneRecord.test(name) ? 300_000 : 250_000))
  return { js, css: 30_000, requests: 34 }
}

/** Returns the largest share of its limits that a page uses; above 1, it exceeds one. */
export const shareOf = (found: Limits, limits: Limits): number =>
  Math.max(found.js / limits.js, found.css / limits.css, found.requests / limits.requests)
