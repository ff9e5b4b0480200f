import type { ReactNode } from 'react'
import classes from '#features/cms/articles/shared/web/articles.module.css'
import { Soft } from '#web/parts/Soft.tsx'

/** Main column of an article's page. */
export const ArticleMain = ({ children }: { children: ReactNode }) => (
  <div className={classes.main}>{children}</div>
)

interface Props {
  title: string
  /** Line below the title, such as the author and the category. */
  facts: ReactNode
  children: ReactNode
}

/** Frame of an article as shown to readers. */
export const ArticleFrame = ({ title, facts, children }: Props) => (
  <article className={classes.article}>
    <h2>{title}</h2>
    <p className={classes.facts}>{facts}</p>
    {children}
  </article>
)

/** Text in place of an article's content. */
export const NoContentYet = ({ children }: { children: string }) => <Soft>{children}</Soft>
