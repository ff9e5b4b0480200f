import type { articleFields } from '#features/cms/articles/shared/fields.ts'
import { Suspense, useState, type ReactNode } from 'react'
import { Button, Checkbox } from '@mantine/core'
import { PictureDialog } from '#features/cms/articles/media/web/PictureDialog.tsx'
import { slugFrom } from '#features/cms/articles/rules.ts'
import classes from '#features/cms/articles/shared/web/articles.module.css'
import { SearchPreview } from '#features/cms/articles/shared/web/SearchPreview.tsx'
import { FilesField } from '#web/files/FilesField.tsx'
import { Field } from '#web/form/Field.tsx'
import type { RecordForm } from '#web/form/useRecordForm.tsx'
import { RichTextField, type LinkTargets } from '#web/richtext/RichTextField.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'

const ChooseCover = lazyPart(() => import('#features/cms/articles/media/web/ChooseCover.tsx'), 'ChooseCover')

type ArticleForm = RecordForm<typeof articleFields>

interface Props<F extends typeof articleFields> {
  form: RecordForm<F>
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
export function ArticleFields<F extends typeof articleFields>({
  form: ofKind,
  children,
  slug,
  section,
  wasPublished = false,
  links,
  sameMeta,
}: Props<F>) {
  // A form of any kind has at least these fields, which TypeScript can't see.
  const form = ofKind as unknown as ArticleForm
  const values = form.fields.getValues()
  const box = (name: 'show_in_admin' | 'featured' | 'send_email', label: string, disabled = false) => (
    <Checkbox
      size="xs"
      label={label}
      disabled={disabled}
      {...form.fields.getInputProps(name, { type: 'checkbox' })}
    />
  )
  return (
    <>
      <Field form={form} name="title" autoFocus />
      {children}
      <RichTextField {...form.control('body')} label="Content" PictureDialog={PictureDialog} links={links} />
      <Field form={form} name="short_description" rows={2} />
      <Cover {...form.control('image_ids')} />
      <Field form={form} name="caption" label="Image caption" />
      <Field
        form={form}
        name="new_slug"
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
      <SearchAppearance form={form} slug={slug} section={section} sameMeta={sameMeta} />
    </>
  )
}

interface AppearanceProps extends Pick<Props<typeof articleFields>, 'form' | 'section' | 'sameMeta'> {
  slug: string | undefined
}

function SearchAppearance({ form, slug, section, sameMeta }: AppearanceProps) {
  const values = form.fields.getValues()
  return (
    <>
      <h2 className={classes.section}>Search appearance</h2>
      <Field form={form} name="meta_title" />
      <Field form={form} name="meta_description" rows={2} />
      <Field form={form} name="meta_keyword" singleLine />
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
  label: string
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
      <FilesField most={1} kinds={['image']} {...props} />
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
