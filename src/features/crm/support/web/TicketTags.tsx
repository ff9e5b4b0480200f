import IconCheck from '@tabler/icons-react/dist/esm/icons/IconCheck.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { type TicketRow, tickets } from '#features/crm/support/contract.ts'
import classes from '#features/crm/support/web/support.module.css'
import { useTicketChange } from '#features/crm/support/web/useTicketChange.ts'
import { useSend } from '#web/api/useSend.ts'
import { useLists } from '#web/filter/useOptions.ts'
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

/** A ticket's tags, with a menu that adds and removes them. */
export function EditTags({ ticket }: { ticket: Pick<TicketRow, 'id' | 'version' | 'tag_ids'> }) {
  const { ticket_tags } = useLists('ticket_tags')
  const { send } = useSend(tickets.update, useTicketChange())
  const { props, at } = useMenuButton()
  const { id, version, tag_ids } = ticket
  const toggle = (tag: number) =>
    void send({
      params: { id },
      body: {
        tag_ids: tag_ids.includes(tag) ? tag_ids.filter((one) => one !== tag) : [...tag_ids, tag],
        version,
        base: { tag_ids },
      },
    })
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
      <Menu {...at} label="Tags" stays>
        {ticket_tags.length === 0 && (
          <div className={classes.noTags}>
            <Soft>No tags yet. Admins create them under Settings, Options.</Soft>
          </div>
        )}
        {ticket_tags.map((tag) => (
          <MenuItem
            key={tag.id}
            checked={tag_ids.includes(tag.id)}
            mark={tag_ids.includes(tag.id) && <IconCheck size={14} aria-hidden />}
            onClick={() => toggle(tag.id)}
          >
            {tag.name}
          </MenuItem>
        ))}
      </Menu>
    </span>
  )
}
