import type { Article } from '#features/cms/articles/shared/contract.ts'
import type { articleFields } from '#features/cms/articles/shared/fields.ts'
import { fieldValues, type FieldValues } from '#web/form/fieldValues.ts'

/** Form values for articles of any kind. */
export type ArticleValues = FieldValues<typeof articleFields>

/** Returns the form values of an article; `fields` are those of its kind. */
export const articleValues = <F extends typeof articleFields>(fields: F, article: Article) => ({
  ...fieldValues(fields, article),
  new_slug: article.slug,
  image_ids: article.image ? [article.image.id] : [],
})

type Sent<Values> = { [Name in keyof Values]: Values[Name] extends boolean ? 0 | 1 : Values[Name] }

/** Converts form values to a request body; flags are sent as 1 and 0 (B §3). */
export const articleToSend = <Values extends object>(values: Values) =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'boolean' ? Number(value) : value]),
  ) as Sent<Values>
