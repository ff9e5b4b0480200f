import { useQuery } from '@tanstack/react-query'
import {
  categories,
  CategoryChange,
  categoryKindRows,
  FaqCategoryChange,
  NewCategory,
  NewFaqCategory,
  type Category,
  type CategoryKind,
} from '#features/cms/articles/categories/contract.ts'
import {
  categoryFieldsOf,
  type categoryFields,
  type treeFields,
} from '#features/cms/articles/categories/fields.ts'
import { CategoryField } from '#features/cms/articles/categories/web/CategoryField.tsx'
import { findCategoriesOf } from '#features/cms/articles/categories/web/findCategories.ts'
import { SearchPreview } from '#features/cms/articles/shared/web/SearchPreview.tsx'
import { recordTypes } from '#shared/records.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { LoadedInModal } from '#web/form/LoadedInModal.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'

const kinds = {
  post: { draft: 'category', added: NewCategory, change: CategoryChange, OwnInputs: PostInputs },
  faq: { draft: 'faq-category', added: NewFaqCategory, change: FaqCategoryChange, OwnInputs: undefined },
}
const nameOf = (kind: CategoryKind) => recordTypes[categoryKindRows[kind].type].one

interface Props {
  kind: CategoryKind
  /** The product of a new category; absent for FAQs. */
  product_id?: number | undefined
  /** Absent for a new category. */
  category?: { id: number }
  onClose: () => void
}

/** Modal for creating or editing a category. */
export default function CategoryForm({ category, ...props }: Props) {
  const { kind, onClose } = props
  const query = useQuery({
    ...queryOptionsFor(categories[kind].show, { params: { id: String(category?.id) } }),
    enabled: category !== undefined,
  })
  if (category === undefined) return <Form {...props} />
  return (
    <LoadedInModal query={query} title={`Edit ${nameOf(kind)}`} onClose={onClose}>
      {({ data }) => <Form key={data.id} kind={kind} category={data} onClose={onClose} />}
    </LoadedInModal>
  )
}

function Form({
  kind,
  category,
  product_id = category?.product_id,
  onClose,
}: Props & { category?: Category }) {
  const { draft, added, change, OwnInputs } = kinds[kind]
  const calls = categories[kind]
  const { send: create } = useSend(calls.create, { failure: 'throw' })
  const { send: update } = useSend(calls.update, { failure: 'throw' })
  const query = { product_id }
  const params = { id: String(category?.id) }
  const whyNotCreate = useWhyNotSave(calls.create, { query, body: { title: '' } })
  const whyNotUpdate = useWhyNotSave(calls.update, { params, body: {} })
  const form = useRecordForm<typeof treeFields>({
    name: `${draft}-${category?.id ?? ['new', product_id].filter(Boolean).join('-')}`,
    fields: categoryFieldsOf[kind],
    schema: category ? change : added,
    record: category,
    title: category?.title ?? '',
    create: (body) => create({ query, body }),
    update: (body) => update({ params, query, body }),
    onSaved: onClose,
  })
  return (
    <FormModal
      title={category ? `Edit ${category.title}` : `New ${nameOf(kind)}`}
      form={form}
      onClose={onClose}
      whyNotSave={category ? whyNotUpdate : whyNotCreate}
      saveLabel={category ? undefined : 'Create category'}
      side="right"
    >
      <Field form={form} name="title" autoFocus />
      <Field
        form={form}
        name="slug"
        description="Leave empty to generate it from the title. Old slugs keep working."
      />
      <CategoryField
        {...form.control('parent_id')}
        clearable
        none="None (top level)"
        find={findCategoriesOf(kind, { product_id, current: category?.id })}
      />
      <Field form={form} name="description" />
      {OwnInputs && <OwnInputs form={form as unknown as FieldsForm<typeof categoryFields>} />}
    </FormModal>
  )
}

/** The inputs that only categories of posts have. */
function PostInputs({ form }: { form: FieldsForm<typeof categoryFields> }) {
  const values = form.fields.getValues()
  return (
    <>
      <FilesField {...form.control('icon_ids')} most={1} kinds={['image']} />
      <Field form={form} name="icon" label="Icon text" description="An uploaded icon replaces this text." />
      <Field form={form} name="meta_title" />
      <Field form={form} name="meta_description" rows={2} />
      <Field form={form} name="meta_keyword" singleLine />
      <SearchPreview
        label="Search result preview"
        title={values.meta_title}
        description={values.meta_description}
        otherwise={{ title: values.title, description: values.description }}
        address={`/categories/${values.slug}`}
      />
    </>
  )
}
