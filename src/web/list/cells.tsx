import type { ComponentProps, ReactNode } from 'react'
import { dayText, type PlainDate } from '#shared/dates.ts'
import type { EndpointShape } from '#shared/endpoint.ts'
import { useMay } from '#web/api/useSend.ts'
import type { RequestInput } from '#web/api/types.ts'
import classes from '#web/list/cells.module.css'
import { PageLink } from '#web/parts/PageLink.tsx'
import { today } from '#web/time.ts'

/* Cells used in every list: plain elements, because a list has hundreds of them. */

/** A row's name, linked to its page. */
export const NameLink = ({ to, children }: { to: string; children: string }) => (
  <PageLink to={to} className={classes.name}>
    {children}
  </PageLink>
)

interface ActionProps extends ComponentProps<'button'> {
  /** Why the button is disabled; it stays visible and shows the reason. */
  whyNot?: string | undefined
}

/** Button for an action on one row. */
export const RowAction = ({ whyNot, onClick, ...rest }: ActionProps) => (
  <button
    type="button"
    className={classes.action}
    aria-disabled={whyNot !== undefined || undefined}
    title={whyNot}
    onClick={whyNot === undefined ? onClick : undefined}
    {...rest}
  />
)

export const RowLink = (props: ComponentProps<typeof PageLink>) => (
  <PageLink {...props} className={classes.action} />
)

/** Renders its children only if the viewer is allowed to make a request. */
export function IfMay<E extends EndpointShape>({
  endpoint,
  input,
  children,
}: {
  endpoint: E
  input?: RequestInput<E>
  children: ReactNode
}) {
  return useMay(endpoint, input) ? children : null
}

interface Due {
  day: PlainDate | null
  /** Whether the record is unfinished, so that it can be overdue. */
  isOpen: boolean
  /** What the date is, where no column header says it. */
  label?: string
}

export const isOverdue = ({ day, isOpen }: Due): boolean => isOpen && day !== null && day < today()

/** A date by which work is due. If it has passed, the text says so, because color alone is not enough. */
export function DueDate({ day, isOpen, label }: Due) {
  if (day === null) return null
  if (isOverdue({ day, isOpen })) return <span className={classes.overdue}>Overdue {dayText(day)}</span>
  return label === undefined ? dayText(day) : `${label} ${dayText(day)}`
}

/** A row on a phone: a line with the row's name, details, and actions. */
export const Card = ({
  title,
  aside,
  due,
  children,
  actions,
}: {
  title: ReactNode
  aside?: ReactNode
  due?: Due
  children?: ReactNode
  actions?: ReactNode
}) => (
  <div className={classes.card}>
    <div className={classes.cardLine}>
      <span>{title}</span>
      {aside}
    </div>
    {children && <div className={classes.cardText}>{children}</div>}
    {due?.day && (
      <div className={classes.cardText}>
        <DueDate {...due} />
      </div>
    )}
    {actions && <div className={classes.cardLine}>{actions}</div>}
  </div>
)
