import { keepPreviousData, useQuery } from '@tanstack/react-query'
import {
  savedReplies,
  type FaqQuestion,
  type SavedReplyRow,
} from '#features/crm/support/saved-replies.contract.ts'
import { queryOptionsFor } from '#web/api/client.ts'

/** A text that can be inserted into a reply. */
export type Insertable = { kind: 'reply'; row: SavedReplyRow } | { kind: 'faq'; row: FaqQuestion }

/** The place where a text is inserted: a reply to a ticket or, without its ID, an answer to several tickets. */
export interface ReplyTarget {
  id?: number
  /** Replies for this category come first. */
  category?: number
  status?: number
}

/** With the three FAQs, one for each digit. */
const mostReplies = 6

/** Query for a saved reply as it is inserted: with the values of the ticket, or with its variables. */
export const insertedOf = ({ id: ticket }: ReplyTarget, id: number) =>
  ticket === undefined
    ? queryOptionsFor(savedReplies.show, { params: { id } })
    : queryOptionsFor(savedReplies.fill, { params: { ticket, id } })
/** Query for the answer of an FAQ. */
export const answerOf = (id: number) => queryOptionsFor(savedReplies.faqAnswer, { params: { id } })

/** Those for the ticket's category first; otherwise as the list has them, most used first. */
const inOrder = (rows: readonly SavedReplyRow[], category: number | undefined) =>
  rows
    .toSorted((one, two) => Number(two.category === category) - Number(one.category === category))
    .slice(0, mostReplies)

/** Finds the saved replies, and once something was typed, the published FAQs, that match. */
export function useInsertable({ category }: ReplyTarget, typed: string) {
  const search = typed.trim()
  const replies = useQuery({
    ...queryOptionsFor(savedReplies.list, { query: { search } }),
    placeholderData: keepPreviousData,
  })
  const faqs = useQuery({
    ...queryOptionsFor(savedReplies.faqs, { query: { search } }),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  })
  const answers = search === '' ? [] : (faqs.data?.data ?? [])
  const failed = [replies, faqs].find(({ error }) => error)
  return {
    all: [
      ...inOrder(replies.data?.data ?? [], category).map((row): Insertable => ({
        kind: 'reply',
        row,
      })),
      ...answers.map((row): Insertable => ({ kind: 'faq', row })),
    ],
    error: failed?.error,
    retry: () => void failed?.refetch(),
    isLoading: replies.isPending || (search !== '' && faqs.isPending),
  }
}
