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
import { SearchPreview } from '#features/cms/articles/shared/web/SearchPreview.tsx'
import { queryOptionsFor } from '#web/api/client.ts'
import { useSend } from '#web/api/useSend.ts'
import { FilesField } from '#web/files/FilesField.tsx'
import { LongTextField, TextField } from '#web/form/inputs.tsx'
import { FormModal } from '#web/form/FormModal.tsx'
import { LoadedInModal } from '#web/form/LoadedInModal.tsx'
import { changedOf } from '#web/form/changedOf.ts'
import { useDraftForm } from '#web/form/useDraftForm.ts'
import { useRecordSnapshot } from '#web/form/useRecordSnapshot.ts'
import { useWhyNotSave } from '#web/form/useWhyNotSave.ts'
import { useMerged } from '#web/record/useMerged.tsx'
import { useUndo } from '#web/record/useUndo.ts'
import { toast } from '#web/message/toast.ts'

interface Props {
  product_id: number
  /** Absent for a new category. */
  id?: number
  onClose: () => void
}

const texts = [
  'title',
  'slug',
  'description',
  'icon',
  'meta_title',
  'meta_description',
  'meta_keyword',
] as const
interface Values extends Record<(typeof texts)[number] | 'parent_id', string> {
  icon_ids: number[]
}

const valuesOf = (category?: Category): Values => ({
  ...(Object.fromEntries(texts.map((name) => [name, category?.[name] ?? ''])) as Record<
    (typeof texts)[number],
    string
  >),
  parent_id: String(category?.parent_id ?? ''),
  icon_ids: category?.icon_file ? [category.icon_file.id] : [],
})
const toSend = ({ parent_id, ...values }: Values) => ({
  ...values,
  parent_id: parent_id === '' ? null : Number(parent_id),
})

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
  const { send } = useSend(categories.create, {
    refresh: [categories.list, categories.search],
    failure: 'throw',
  })
  const whyNotSave = useWhyNotSave(categories.create, { query: { product_id }, body: { title: '' } })
  const form = useDraftForm<Values>({
    name: `category-new-${product_id}`,
    initial: valuesOf(),
    schema: NewCategory,
    toSend,
    onSave: async (values) => {
      const reply = await send({ query: { product_id }, body: toSend(values) })
      if (reply) toast.success(reply.message)
    },
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
      <Fields form={form} product_id={product_id} />
    </FormModal>
  )
}

function EditForm({ category, onClose }: { category: Category; onClose: () => void }) {
  const refresh = [categories.list, categories.show, categories.search]
  const { record, stored, newer } = useRecordSnapshot(category, valuesOf)
  const { send } = useSend(categories.update, { refresh, failure: 'throw' })
  const { announceAct } = useUndo(refresh)
  const { save, dialog } = useMerged<Partial<ReturnType<typeof toSend>>>(
    { ...toSend(stored), ...record },
    category.title,
    categoryFields,
  )
  const params = { id: String(category.id) }
  const whyNotSave = useWhyNotSave(categories.update, { params, body: {} })
  const form = useDraftForm<Values>({
    name: `category-${category.id}`,
    initial: stored,
    newer,
    schema: CategoryChange,
    toSend,
    onSave: async (values) => {
      const changes = changedOf(toSend(values), toSend(stored))
      await save(
        changes,
        async (left, seen) => {
          const reply = await send({
            params,
            query: { product_id: category.product_id },
            body: { ...left, ...seen },
          })
          if (reply) announceAct(reply.message, reply.operation)
        },
        form.outdated,
      )
    },
    onSaved: onClose,
  })
  return (
    <>
      <FormModal
        title={`Edit ${category.title}`}
        form={form}
        onClose={onClose}
        whyNotSave={whyNotSave}
        side="right"
      >
        <Fields form={form} product_id={category.product_id} own={category.id} />
      </FormModal>
      {dialog}
    </>
  )
}

function Fields({
  form: { fields },
  product_id,
  own,
}: {
  form: ReturnType<typeof useDraftForm<Values>>
  product_id: number
  own?: number
}) {
  const values = fields.getValues()
  return (
    <>
      <TextField
        form={fields}
        name="title"
        label={categoryFields.title.label}
        required
        autoFocus
        maxLength={200}
      />
      <TextField
        form={fields}
        name="slug"
        label={categoryFields.slug.label}
        maxLength={150}
        description="Leave empty to generate it from the title. Old slugs keep working."
      />
      <CategoryField
        label={categoryFields.parent_id.label}
        clearable
        none="None (top level)"
        find={findPostCategories({ product_id, ...(own === undefined ? {} : { current: own }) })}
        {...fields.getInputProps('parent_id')}
        data-path="parent_id"
      />
      <LongTextField
        form={fields}
        name="description"
        label={categoryFields.description.label}
        maxLength={10_000}
      />
      <FilesField
        label={categoryFields.icon_ids.label}
        most={1}
        kinds={['image']}
        {...fields.getInputProps('icon_ids')}
      />
      <TextField
        form={fields}
        name="icon"
        label="Icon text"
        maxLength={200}
        description="An uploaded icon replaces this text."
      />
      <TextField form={fields} name="meta_title" label={categoryFields.meta_title.label} maxLength={300} />
      <LongTextField
        form={fields}
        name="meta_description"
        label={categoryFields.meta_description.label}
        rows={2}
        maxLength={1000}
      />
      <TextField
        form={fields}
        name="meta_keyword"
        label={categoryFields.meta_keyword.label}
        maxLength={1000}
      />
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
