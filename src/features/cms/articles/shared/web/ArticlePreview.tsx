import type { ReactNode } from 'react'
import { wideUrl } from '#shared/files.ts'
import type { Article } from '#features/cms/articles/shared/contract.ts'
import { ArticleFrame, NoContentYet } from '#features/cms/articles/shared/web/ArticleFrame.tsx'
import classes from '#features/cms/articles/shared/web/articles.module.css'
import { PublishedAt, PublishedState } from '#features/cms/articles/shared/web/PublishedState.tsx'
import { RichText } from '#web/richtext/RichText.tsx'

interface Props {
  article: Article
  /** The author's name, linked if it has a target. */
  author?: ReactNode
  /** IDs of unpublished posts that the text can link to. */
  unpublished: ReadonlySet<number> | undefined
  children?: ReactNode
}

/** An article as shown to readers. */
export function ArticlePreview({ article, author = article.author.name, unpublished, children }: Props) {
  return (
    <ArticleFrame
      title={article.title}
      facts={
        <>
          <PublishedState published={article.published} />
          <PublishedAt at={article.published_at} />
          <span>{author}</span>
          {children}
        </>
      }
    >
      {(article.image || article.caption) && (
        <figure>
          {article.image && <img src={wideUrl(article.image.url)} alt={article.caption} />}
          {article.caption && <figcaption>{article.caption}</figcaption>}
        </figure>
      )}
      {article.short_description && <p className={classes.lead}>{article.short_description}</p>}
      {article.body ? (
        <RichText html={article.body} unpublished={unpublished} />
      ) : (
        <NoContentYet>No content yet.</NoContentYet>
      )}
    </ArticleFrame>
  )
}
