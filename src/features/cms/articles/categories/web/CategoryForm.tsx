import { useQuery } from '@tanstack/react-query'
import {
  categories,
  CategoryChange,
  NewCategory,
  type Category,
} from '#features/cms/articles/categories/contract.ts'
import { categoryFields } from '#features/cms/articles/categories/fields.ts'
import { CategoryField } from '#features/cms/articles/categories/web/CategoryField.tsx'
import { findPostCategories } from '#features/cms/articles/categories/web/findCategories.ts'
import { slugHint } from '#features/cms/articles/categories/web/slugHint.ts'
import { SearchPreview } from '#features/cms/articles/shared/web/SearchPreview.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { Field } from '#web/form/Field.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { LoadedInModal } from '#web/form/LoadedInModal.tsx'
import type { FieldsForm } from '#web/form/useFieldsForm.ts'
import { useRecordForm } from '#web/form/useRecordForm.tsx'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'

interface Props {
  product_id: number
  /** Absent for a new category. */
  id?: number
  onClose: () => void
}

/** Refetched after a category has changed. */

/** Modal for creating or editing a category. */
export default function CategoryForm({ product_id, id, onClose }: Props) {
  const query = useQuery({
    ...queryOptionsFor(categories.show, { params: { id: String(id) } }),
    enabled: id !== undefined,
  })
  if (id === undefined) return <NewForm product_id={product_id} onClose={onClose} />
  return (
    <LoadedInModal query={query} title="Edit category" onClose={onClose}>
      {({ data }) => <EditForm key={data.id} category={data} onClose={onClose} />}
    </LoadedInModal>
  )
}

function NewForm({ product_id, onClose }: Omit<Props, 'id'>) {
  const { send } = useSend(categories.create, { failure: 'throw' })
  const whyNotSave = useWhyNotSave(categories.create, { query: { product_id }, body: { title: '' } })
  const form = useRecordForm({
    name: `category-new-${product_id}`,
    fields: categoryFields,
    schema: NewCategory,

    create: (body) => send({ query: { product_id }, body }),
    onSaved: onClose,
  })
  return (
    <FormModal
      title="New category"
      form={form}
      onClose={onClose}
      whyNotSave={whyNotSave}
      saveLabel="Create category"
      side="right"
    >
      <CategoryInputs form={form} product_id={product_id} />
    </FormModal>
  )
}

function EditForm({ category, onClose }: { category: Category; onClose: () => void }) {
  const { id, product_id, title } = category
  const { send } = useSend(categories.update, { failure: 'throw' })
  const params = { id: String(id) }
  const whyNotSave = useWhyNotSave(categories.update, { params, body: {} })
  const form = useRecordForm({
    name: `category-${id}`,
    fields: categoryFields,
    schema: CategoryChange,
    record: category,
    title,

    update: (body) => send({ params, query: { product_id }, body }),
    onSaved: onClose,
  })
  return (
    <FormModal title={`Edit ${title}`} form={form} onClose={onClose} whyNotSave={whyNotSave} side="right">
      <CategoryInputs form={form} product_id={product_id} own={id} />
    </FormModal>
  )
}

interface InputsProps {
  form: FieldsForm<typeof categoryFields>
  product_id: number
  /** The category that is edited. */
  own?: number
}

function CategoryInputs({ form, product_id, own }: InputsProps) {
  const values = form.fields.getValues()
  return (
    <>
      <Field form={form} name="title" autoFocus />
      <Field form={form} name="slug" description={slugHint} />
      <CategoryField
        {...form.control('parent_id')}
        clearable
        none="None (top level)"
        find={findPostCategories({ product_id, ...(own === undefined ? {} : { current: own }) })}
      />
      <Field form={form} name="description" />
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
