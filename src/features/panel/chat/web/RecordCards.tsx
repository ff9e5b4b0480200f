import type { ComponentType } from 'react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import IconAddressBook from '@tabler/icons-react/dist/esm/icons/IconAddressBook.mjs'
import IconChecklist from '@tabler/icons-react/dist/esm/icons/IconChecklist.mjs'
import IconFileText from '@tabler/icons-react/dist/esm/icons/IconFileText.mjs'
import IconLifebuoy from '@tabler/icons-react/dist/esm/icons/IconLifebuoy.mjs'
import { capitalize } from '#shared/capitalize.ts'
import { records, type RecordCard } from '#shared/record.contract.ts'
import { recordTypes, type RecordType } from '#shared/records.ts'
import type { ChatMessage } from '#features/panel/chat/contract.ts'
import classes from '#features/panel/chat/web/ChatPanel.module.css'
import { referencesIn } from '#features/panel/chat/web/messageParts.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { PageLink } from '#web/parts/PageLink.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { recordAddress } from '#web/record/recordAddress.ts'
import { useViewer } from '#web/session.ts'

/** The server answers as many references in one call. */
const mostReferences = 50
const mostPerMessage = 3
const staleMs = 30_000

const icons: { readonly [Type in RecordType]?: ComponentType<{ size: number; stroke: number }> } = {
  lead: IconAddressBook,
  ticket: IconLifebuoy,
  task: IconChecklist,
  designer_task: IconChecklist,
}

/** Returns the cards of the records that messages name and the viewer can open; undefined until they are loaded. */
export function useRecordCards(
  messages: readonly ChatMessage[] | undefined = [],
): readonly RecordCard[] | undefined {
  const named = messages
    .toReversed()
    .flatMap(({ message }) => referencesIn(message).map(({ type, id }) => `${type}:${id}`))
  const wanted = [...new Set(named)].slice(0, mostReferences).toSorted().join(',')
  const { data } = useQuery({
    ...queryOptionsFor(records.cards, { query: { records: wanted } }),
    enabled: wanted !== '',
    staleTime: staleMs,
    placeholderData: keepPreviousData,
  })
  return data?.data
}

/** Returns the cards of the records that a message names. */
export const cardsIn = (text: string, cards: readonly RecordCard[] = []): RecordCard[] =>
  referencesIn(text)
    .flatMap(({ type, id }) => cards.find((card) => card.type === type && card.id === id) ?? [])
    .slice(0, mostPerMessage)

/** A record that a message names, as it is now. */
export function CardOfRecord({ card: { type, id, name, state } }: { card: RecordCard }) {
  const to = recordAddress(type, id, useViewer(), name)
  if (to === undefined) return null
  const Icon = icons[type] ?? IconFileText
  return (
    <PageLink to={to} className={classes.card}>
      <Icon size={16} stroke={1.6} aria-hidden />
      <span className={classes.cardText}>
        <b>{name}</b>
        <span className={classes.cardFacts}>
          {state && <Tone tone={state.tone}>{state.name}</Tone>}
          <span>
            {capitalize(recordTypes[type].one)} {id}
          </span>
        </span>
      </span>
    </PageLink>
  )
}
