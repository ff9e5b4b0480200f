import type { ComponentProps, ReactNode } from 'react'
import type { EndpointShape } from '#shared/endpoint.ts'
import { useMay } from '#web/api/useSend.ts'
import type { RequestInput } from '#web/api/types.ts'
import classes from '#web/list/cells.module.css'
import { DueDate, type Due } from '#web/list/DueDate.tsx'
import { PageLink } from '#web/parts/PageLink.tsx'

/* Cells used in every list: plain elements, because a list has hundreds of them. */

/** A row's name, linked to its page. In a list in which unread rows stand out, those that are read do not. */
export const NameLink = ({ to, isRead, children }: { to: string; isRead?: boolean; children: string }) => (
  <PageLink to={to} className={classes.name} data-read={isRead || undefined}>
    {children}
  </PageLink>
)

/** A row's name, for rows that open in a dialog. */
export const NameButton = (props: ComponentProps<'button'>) => (
  <button type="button" {...props} className={classes.nameButton} />
)

/** A value in a cell that is edited in place. */
export const CellButton = (props: ComponentProps<'button'>) => (
  <button type="button" {...props} className={classes.cellButton} />
)

/** The actions on one row, next to each other. */
export const RowActions = ({ children }: { children: ReactNode }) => (
  <span className={classes.actions}>{children}</span>
)

interface ActionProps extends ComponentProps<'button'> {
  /** Why the button is disabled; it stays visible and shows the reason. */
  whyNot?: string | undefined
}

/** Button for an action on one row; with `data-icon`, it is as narrow as its icon. */
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
