import type { ReactNode } from 'react'
import { useMatches } from '@tanstack/react-router'
import { PageLink } from '#web/parts/PageLink.tsx'
import classes from '#web/parts/PageHeader.module.css'
import { useDocumentTitle } from '#web/shell/title.ts'

interface Props {
  /** Defaults to the route's name. */
  title?: string
  /** Number of the record, shown before the title. */
  number?: number
  /** Parent pages, such as the list that a record belongs to. */
  parents?: readonly (readonly [to: string, name: string])[]
  /** Picture or initials, before the title. */
  avatar?: ReactNode
  /** The most important facts of a record, such as its status, below the title. */
  chips?: ReactNode
  /** The page's actions, on the right. */
  children?: ReactNode
}

const dashboard = '/dashboard'

/** Page name as h1 and document title, and the breadcrumb: Home > Dashboard > page (A §2). */
export function PageHeader({ title, number, parents = [], avatar, chips, children }: Props) {
  const match = useMatches({ select: (matches) => matches.at(-1) })
  const name = title ?? match?.staticData.name ?? ''
  useDocumentTitle(number === undefined ? name : `#${number} ${name}`)
  return (
    <div className={classes.header}>
      <div className={classes.names} data-avatar={avatar ? true : undefined}>
        {avatar && <div className={classes.avatar}>{avatar}</div>}
        {match?.pathname !== dashboard && (
          <nav aria-label="Breadcrumb">
            <ol className={classes.breadcrumb}>
              <li>
                <PageLink to={dashboard}>Home</PageLink>
              </li>
              <li>
                <PageLink to={dashboard}>Dashboard</PageLink>
              </li>
              {parents.map(([to, words]) => (
                <li key={to}>
                  <PageLink to={to}>{words}</PageLink>
                </li>
              ))}
              <li aria-current="page">{name}</li>
            </ol>
          </nav>
        )}
        <h1 className={classes.title}>
          {number !== undefined && <span className={classes.number}>#{number} </span>}
          {name}
        </h1>
        {chips && (
          <div className={classes.chips} data-palette-part="This page">
            {chips}
          </div>
        )}
      </div>
      {children && (
        <div className={classes.actions} data-palette-part="This page">
          {children}
        </div>
      )}
    </div>
  )
}
