import { articleFields } from '#features/cms/articles/shared/fields.ts'
import { Suspense, useState, type ReactNode } from 'react'
import { Button, Checkbox } from '@mantine/core'
import { PictureDialog } from '#features/cms/articles/media/web/PictureDialog.tsx'
import { slugFrom } from '#features/cms/articles/rules.ts'
import classes from '#features/cms/articles/shared/web/articles.module.css'
import type { ArticleValues } from '#features/cms/articles/shared/web/articleValues.ts'
import { SearchPreview } from '#features/cms/articles/shared/web/SearchPreview.tsx'
import { FilesField } from '#web/files/FilesField.tsx'
import { LongTextField, TextField } from '#web/form/inputs.tsx'
import type { DraftForm } from '#web/form/useDraftForm.ts'
import { RichTextField, type LinkTargets } from '#web/richtext/RichTextField.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const ChooseCover = lazyPart(() => import('#features/cms/articles/media/web/ChooseCover.tsx'), 'ChooseCover')

interface Props<Values extends ArticleValues> {
  form: DraftForm<Values>
  /** Fields in addition to the common ones, such as category and tags. */
  children?: ReactNode
  /** Absent for a new article, whose slug is derived from the title. */
  slug?: string
  /** Path of the section of the site where the article is published, such as `/posts`. */
  section: string
  /**
   * Whether the article has already been published, so that the option to send an email on first publication
   * no longer applies.
   */
  wasPublished?: boolean
  /** Targets that the text can link to. */
  links: LinkTargets | undefined
  sameMeta?: { title: readonly string[]; description: readonly string[] } | undefined
}

/** Form fields for articles of any kind. */
export function ArticleFields<Values extends ArticleValues>({
  form: { fields },
  children,
  slug,
  section,
  wasPublished = false,
  links,
  sameMeta,
}: Props<Values>) {
  const values: ArticleValues = fields.getValues()
  const input = (name: keyof ArticleValues) => fields.getInputProps(name as never)
  const box = (name: 'show_in_admin' | 'featured' | 'send_email', label: string, disabled = false) => (
    <Checkbox
      size="xs"
      label={label}
      disabled={disabled}
      {...fields.getInputProps(name as never, { type: 'checkbox' })}
    />
  )
  return (
    <>
      <TextField
        form={fields}
        name="title"
        label={articleFields.title.label}
        required
        autoFocus
        maxLength={200}
      />
      {children}
      <RichTextField label="Content" PictureDialog={PictureDialog} links={links} {...input('body')} />
      <LongTextField
        form={fields}
        name="short_description"
        label={articleFields.short_description.label}
        rows={2}
        maxLength={2000}
      />
      <Cover {...input('image_ids')} />
      <TextField form={fields} name="caption" label="Image caption" maxLength={300} />
      <TextField
        form={fields}
        name="new_slug"
        label={articleFields.slug.label}
        maxLength={150}
        placeholder={slugFrom(values.title)}
        description={
          slug === undefined
            ? 'Leave empty to generate it from the title.'
            : `Currently ${section}/${slug}. Old slugs keep working.`
        }
      />
      <div className={classes.flags}>
        {box('featured', 'Featured')}
        {box('show_in_admin', 'Show on dashboard')}
        {box('send_email', 'Send email when first published', wasPublished && !values.send_email)}
        {wasPublished && !values.send_email && (
          <span className={classes.flagHint}>Already published, so no email can be sent.</span>
        )}
      </div>
      <SearchAppearance fields={fields} slug={slug} section={section} sameMeta={sameMeta} />
    </>
  )
}

interface AppearanceProps<Values extends ArticleValues> extends Pick<Props<Values>, 'section' | 'sameMeta'> {
  fields: DraftForm<Values>['fields']
  slug: string | undefined
}

function SearchAppearance<Values extends ArticleValues>({
  fields,
  slug,
  section,
  sameMeta,
}: AppearanceProps<Values>) {
  const values: ArticleValues = fields.getValues()
  return (
    <>
      <h2 className={classes.section}>Search appearance</h2>
      <TextField form={fields} name="meta_title" label={articleFields.meta_title.label} maxLength={300} />
      <LongTextField
        form={fields}
        name="meta_description"
        label={articleFields.meta_description.label}
        rows={2}
        maxLength={1000}
      />
      <TextField
        form={fields}
        name="meta_keyword"
        label={articleFields.meta_keyword.label}
        maxLength={1000}
      />
      <SearchPreview
        label="Search result preview"
        title={values.meta_title}
        description={values.meta_description}
        otherwise={{ title: values.title, description: values.short_description }}
        others={sameMeta}
        address={`${section}/${values.new_slug || slug || slugFrom(values.title)}`}
      />
    </>
  )
}

interface CoverProps {
  value?: number[]
  onChange: (ids: number[]) => void
  error?: ReactNode
  'data-path'?: string
}

/** Field for an article's cover image, from this computer or the library. */
function Cover(props: CoverProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <div>
      <FilesField label={articleFields.image_ids.label} most={1} kinds={['image']} {...props} />
      <Button size="xs" variant="default" mt={6} onClick={() => setOpen(true)}>
        Choose from library
      </Button>
      {isOpen && (
        <Suspense>
          <ChooseCover
            onClose={() => setOpen(false)}
            onChoose={(file: number) => {
              props.onChange([file])
              setOpen(false)
            }}
          />
        </Suspense>
      )}
    </div>
  )
}
