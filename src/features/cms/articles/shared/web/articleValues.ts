import type { Article } from '#features/cms/articles/shared/contract.ts'

/** Form values for articles of any kind. */
export interface ArticleValues {
  title: string
  body: string
  caption: string
  short_description: string
  new_slug: string
  meta_title: string
  meta_description: string
  meta_keyword: string
  show_in_admin: boolean
  featured: boolean
  send_email: boolean
  image_ids: number[]
}

export const emptyArticle: ArticleValues = {
  title: '',
  body: '',
  caption: '',
  short_description: '',
  new_slug: '',
  meta_title: '',
  meta_description: '',
  meta_keyword: '',
  show_in_admin: false,
  featured: false,
  send_email: false,
  image_ids: [],
}

export const articleValues = (article: Article): ArticleValues => ({
  title: article.title,
  body: article.body,
  caption: article.caption,
  short_description: article.short_description,
  new_slug: article.slug,
  meta_title: article.meta_title,
  meta_description: article.meta_description,
  meta_keyword: article.meta_keyword,
  show_in_admin: article.show_in_admin === 1,
  featured: article.featured === 1,
  send_email: article.send_email === 1,
  image_ids: article.image ? [article.image.id] : [],
})

const flag = (on: boolean) => (on ? 1 : 0)

/** Converts form values to a request body; flags are sent as 1 and 0 (B §3). */
export const articleToSend = ({ show_in_admin, featured, send_email, ...texts }: ArticleValues) => ({
  ...texts,
  show_in_admin: flag(show_in_admin),
  featured: flag(featured),
  send_email: flag(send_email),
})
