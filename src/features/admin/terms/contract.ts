import { z } from 'zod'
import { endpoint } from '#shared/endpoint.ts'
import { instant, plainDay, recordId, richText } from '#shared/schemas.ts'
import { pageNumber } from '#shared/page.ts'
import { listReply } from '#shared/record.contract.ts'

/** Request size limit in bytes: the text plus encoding overhead. */
const termsBytes = 3_000_000

export const TermsFilters = z.object({ page: pageNumber.default(1) })

export const TermsRow = z.object({
  /** The version number. */
  id: z.number().int(),
  effective_on: z.string(),
  /** `replaced` means that the version was scheduled, but a later version has the same effective date. */
  state: z.enum(['in force', 'to come', 'past', 'replaced']),
  who: z.string(),
  created_at: instant,
})
export type TermsRow = z.output<typeof TermsRow>

export const Terms = TermsRow.extend({ value: z.string() })
export type Terms = z.output<typeof Terms>

export const NewTerms = z.object({
  value: richText(1_000_000),
  /** Effective date: today or later; defaults to today. */
  effective_on: z.preprocess(
    (value) => (value === '' || value === null ? undefined : value),
    plainDay.optional(),
  ),
})

export const terms = {
  list: endpoint({
    method: 'GET',
    path: '/admin/termsandconditions',
    shows: ['terms'],
    summary:
      'List versions of the terms, newest first, 20 per page, with the current and next version and the effective dates of all.',
    access: 'term_condition_list',
    query: TermsFilters,
    response: listReply(TermsRow).extend({
      in_force: TermsRow.nullable(),
      next: TermsRow.nullable(),
      /** All versions, by effective date and number. */
      versions: z.array(z.object({ id: z.number().int(), effective_on: z.string() })),
    }),
  }),
  show: endpoint({
    method: 'GET',
    path: '/admin/termsandconditions/show/{id}',
    shows: ['terms'],
    summary: 'Get a version of the terms by number.',
    access: 'term_condition_list',
    params: z.object({ id: recordId }),
    response: z.object({ data: Terms }),
  }),
  store: endpoint({
    method: 'POST',
    path: '/admin/termsandconditions/store',
    summary:
      'Publish a new version of the terms with an effective date. Published versions can’t be changed.',
    act: 'Published terms',
    access: 'term_condition_create',
    body: NewTerms,
    maxBytes: termsBytes,
    response: z.object({ message: z.string(), data: Terms }),
  }),
}
