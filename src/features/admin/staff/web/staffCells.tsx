import { createContext, use } from 'react'
import { awayText } from '#shared/away.contract.ts'
import { productIds } from '#shared/products.ts'
import type { StaffMember } from '#features/admin/staff/contract.ts'
import classes from '#features/admin/staff/web/staff.module.css'
import { Avatar } from '#web/Avatar.tsx'
import { NameButton } from '#web/list/cells.tsx'
import { Moment } from '#web/Moment.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { Tone } from '#web/parts/Tone.tsx'
import { useMyProducts } from '#web/session.ts'
import { productColor } from '#web/theme.ts'

/** Opens the details of an admin user; undefined if the viewer can't see these. */
export const OpenPerson = createContext<(person: StaffMember) => (() => void) | undefined>(() => undefined)

/** Picture and name of an admin user; the name opens their details. */
export function Name({ person }: { person: StaffMember }) {
  const onOpen = use(OpenPerson)(person)
  return (
    <span className={classes.person}>
      <Avatar name={person.name} picture={person.avatar} size={22} />
      {onOpen ? <NameButton onClick={onOpen}>{person.name}</NameButton> : <span>{person.name}</span>}
    </span>
  )
}

export function State({ person }: { person: StaffMember }) {
  if (person.deleted_at) return <Tone tone="gray">Deactivated</Tone>
  if (person.banned_at) return <Tone tone="red">Banned</Tone>
  if (person.away) return <Tone tone="yellow">{awayText(person.away)}</Tone>
  if (person.last_signed_in) return <Tone tone="green">Active</Tone>
  return person.link_failed ? <Tone tone="red">Not delivered</Tone> : <Tone tone="blue">Invited</Tone>
}

/** Products of an admin user, each with its color. */
export function Products({ ids }: { ids: readonly number[] }) {
  const products = useMyProducts()
  if (productIds.every((id) => ids.includes(id))) return 'All products'
  return (
    <span className={classes.products}>
      {ids.map((id) => (
        <span key={id} className={classes.product} style={{ '--product': productColor(id) }}>
          {products.find((one) => one.id === id)?.name ?? `#${id}`}
        </span>
      ))}
    </span>
  )
}

export function LastSeen({ person: { last_seen, last_signed_in } }: { person: StaffMember }) {
  const at = last_seen ?? last_signed_in
  return at ? <Moment at={at} /> : <Soft as="span">Never</Soft>
}
