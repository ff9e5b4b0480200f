import { useRef, useState } from 'react'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { searchText } from '#shared/search-text.ts'
import { type TicketRow, tickets } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { useSend } from '#web/api/useSend.ts'
import { useLists } from '#web/filter/useOptions.ts'
import type { PaletteChoice } from '#web/palette/choices.ts'
import { Menu, MenuItem } from '#web/parts/Menu.tsx'
import { useMenuButton } from '#web/parts/useMenuButton.ts'
import { Soft } from '#web/parts/Soft.tsx'

/** The names of a ticket's tags, for reading. */
export function TicketTags({ ids }: { ids: readonly number[] }) {
  const { ticket_tags } = useLists('ticket_tags')
  const shown = ticket_tags.filter(({ id }) => ids.includes(id))
  if (shown.length === 0) return <Soft as="span">—</Soft>
  return (
    <span className={classes.tags}>
      {shown.map(({ id, name }) => (
        <span key={id} className={classes.tag}>
          {name}
        </span>
      ))}
    </span>
  )
}

type Tagged = Pick<TicketRow, 'id' | 'version' | 'tag_ids'>

/** A ticket's tags, with a menu that adds and removes them. */
export function EditTags({ ticket }: { ticket: Tagged }) {
  const { ticket_tags } = useLists('ticket_tags')
  const { tag_ids, toggle } = useTags(ticket)
  const { props, at } = useMenuButton()
  return (
    <span className={classes.tags}>
      {tag_ids.length > 0 && <TicketTags ids={tag_ids} />}
      <button
        type="button"
        className={classes.addTag}
        aria-label="Change tags"
        title="Change tags"
        {...props}
      >
        <IconPlus size={12} stroke={1.5} aria-hidden />
      </button>
      <Menu {...at} label="Tags" searchLabel="Search tags" stays>
        {(typed) => {
          const found = ticket_tags.filter(({ name }) => isFound(name, typed))
          if (found.length === 0)
            return (
              <div className={classes.noTags}>
                <Soft>
                  {ticket_tags.length > 0 ? 'No tags match.' : 'No tags yet.'} Admins create them under
                  Settings, Options.
                </Soft>
              </div>
            )
          return found.map((tag) => (
            <MenuItem key={tag.id} checked={tag_ids.includes(tag.id)} onClick={() => toggle(tag.id)}>
              {tag.name}
            </MenuItem>
          ))
        }}
      </Menu>
    </span>
  )
}

/** Returns the tags that the palette adds to a ticket and removes from it. */
export function useTagChoices(ticket: Tagged): PaletteChoice[] {
  const { ticket_tags } = useLists('ticket_tags')
  const { tag_ids, toggle } = useTags(ticket)
  return ticket_tags.map(({ id, name }) => ({
    id: String(id),
    label: name,
    isCurrent: tag_ids.includes(id),
    run: () => toggle(id),
  }))
}

const isFound = (name: string, typed: string) => searchText(name).includes(searchText(typed.trim()))

const toggled = (tags: readonly number[], tag: number) =>
  tags.includes(tag) ? tags.filter((one) => one !== tag) : [...tags, tag]

/**
 * Returns a ticket's tags as the user has chosen them, and the function that adds or removes one. Choices are sent
 * one after the other, each based on the reply to the one before: the ticket on the page is older.
 */
function useTags(ticket: Tagged) {
  const { send } = useSend(tickets.update, useTicketChange())
  const [saved, setSaved] = useState<Tagged>()
  const [waiting, setWaiting] = useState<readonly number[]>([])
  const last = useRef(Promise.resolve<Tagged | undefined>(undefined))
  const known = newer(ticket, saved)
  const toggle = (tag: number) => {
    setWaiting((tags) => [...tags, tag])
    last.current = last.current.then(async (before) => {
      const { id, version, tag_ids } = newer(known, before)
      const body = { tag_ids: toggled(tag_ids, tag), version, base: { tag_ids } }
      const reply = await send({ params: { id }, body })
      if (reply) setSaved(reply.data)
      setWaiting((tags) => tags.toSpliced(tags.indexOf(tag), 1))
      return reply?.data ?? before
    })
  }
  return { tag_ids: waiting.reduce<readonly number[]>(toggled, known.tag_ids), toggle }
}

const newer = (one: Tagged, other: Tagged | undefined): Tagged =>
  other && other.id === one.id && other.version > one.version ? other : one
