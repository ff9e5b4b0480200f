import type { ReactNode } from 'react'
import { useRouter } from '@tanstack/react-router'
import { Initials } from '#web/Avatar.tsx'
import classes from '#web/dashboard/people.module.css'
import { PageLink } from '#web/parts/PageLink.tsx'

export interface PersonBar {
  id: number
  name: string
  /** Address of all records of the person. */
  to?: string | undefined
  /** The bar's parts from left to right; one with an address opens its records. */
  parts: readonly { amount: number; color: string; to?: string | undefined }[]
  /** The numbers as text. */
  count: ReactNode
}

/** How much each person has: a line for each with a bar, which is as long as its share of the longest one. */
export function PeopleBars({ people }: { people: readonly PersonBar[] }) {
  const router = useRouter()
  const most = Math.max(...people.map(totalOf))
  return (
    <ul className={classes.people}>
      {people.map((person) => (
        <li key={person.id}>
          <span className={classes.person}>
            <Initials name={person.name} size={22} />
            {person.to === undefined ? (
              <span>{person.name}</span>
            ) : (
              <PageLink to={person.to}>{person.name}</PageLink>
            )}
          </span>
          <span className={classes.track} aria-hidden>
            <span className={classes.bar} style={{ width: `${(totalOf(person) / most) * 100}%` }}>
              {person.parts.map(
                ({ amount, color, to }, index) =>
                  amount > 0 && (
                    <i
                      key={index}
                      style={{ flexGrow: amount, background: color }}
                      data-opens={to !== undefined || undefined}
                      onClick={() => to !== undefined && void router.navigate({ to })}
                    />
                  ),
              )}
            </span>
          </span>
          <span className={classes.count}>{person.count}</span>
        </li>
      ))}
    </ul>
  )
}

/** Names of the parts, with their colors. */
export const BarLegend = ({ parts }: { parts: readonly { name: string; color: string }[] }) => (
  <span className={classes.legend}>
    {parts.map(({ name, color }) => (
      <span key={name}>
        <i style={{ background: color }} aria-hidden />
        {name}
      </span>
    ))}
  </span>
)

const totalOf = ({ parts }: PersonBar) => parts.reduce((sum, { amount }) => sum + amount, 0)
