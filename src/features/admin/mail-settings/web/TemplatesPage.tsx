import { useState } from 'react'
import { z } from 'zod'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import classes from '#features/admin/mail-settings/web/templates.module.css'
import { MailTabs } from '#features/admin/mail-settings/web/MailTabs.tsx'
import { TemplateForm } from '#features/admin/mail-settings/web/TemplateForm.tsx'
import { mailTemplates, type TemplateRow } from '#features/admin/mail-settings/templates.contract.ts'
import { kindOfTemplate, templateNames } from '#shared/mail-templates.ts'
import { emptyIsAbsent, recordId } from '#shared/schemas.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay } from '#web/api/useSend.ts'
import { useAddress } from '#web/list/address/useAddress.ts'
import { Loaded } from '#web/list/states.tsx'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { useMyProducts } from '#web/session.ts'
import { NoAccess } from '#web/states/NoAccess.tsx'

const Address = z.object({
  kind: z.enum(templateNames).optional(),
  product: emptyIsAbsent(recordId.optional()),
  template: emptyIsAbsent(recordId.optional()),
})

/** Texts of emails, per product and kind: the list, the text, and its preview side by side. */
export function TemplatesPage() {
  const may = useMay(mailTemplates.list)
  const products = useMyProducts()
  const [{ kind = 'ticket-reply', product, template }, change] = useAddress(Address)
  const query = useQuery({
    ...queryOptionsFor(mailTemplates.list, { query: { product_id: product } }),
    enabled: may,
  })
  if (!may)
    return (
      <>
        <PageHeader />
        <NoAccess>Only Super Admins and Admins can change email templates.</NoAccess>
      </>
    )
  return (
    <>
      <PageHeader parents={[['/settings/mail', 'Email']]}>
        <Button
          size="xs"
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.5} aria-hidden />}
          onClick={() => void change({ kind: 'composer', template: undefined })}
        >
          New template
        </Button>
      </PageHeader>
      <MailTabs />
      <Loaded query={query}>
        {({ data }) => (
          <div className={classes.columns}>
            <div className={classes.list}>
              <NativeSelect
                label="Product"
                value={product === undefined ? '' : String(product)}
                data={[
                  { value: '', label: 'All products' },
                  ...products.map(({ id, name }) => ({ value: String(id), label: name })),
                ]}
                onChange={({ currentTarget: { value } }) =>
                  void change({ product: value === '' ? undefined : Number(value), template: undefined })
                }
              />
              <TemplateList
                rows={data}
                isOpen={(row) => row.kind === kind && (kind !== 'composer' || row.id === template)}
                onOpen={(row) =>
                  void change({
                    kind: row.kind,
                    template: row.kind === 'composer' ? (row.id ?? undefined) : undefined,
                  })
                }
              />
            </div>
            <OpenTemplate
              key={`${kind} ${product ?? 0} ${template ?? 0}`}
              kind={kind}
              product_id={product ?? null}
              id={kind === 'composer' ? (template ?? null) : null}
              onSaved={(id) => void change({ kind, template: kind === 'composer' ? id : undefined })}
            />
          </div>
        )}
      </Loaded>
    </>
  )
}

interface ListProps {
  rows: readonly TemplateRow[]
  isOpen: (row: TemplateRow) => boolean
  onOpen: (row: TemplateRow) => void
}

function TemplateList({ rows, isOpen, onOpen }: ListProps) {
  const groups = [...new Set(rows.map(({ group }) => group))]
  const keyOf = ({ kind, id }: TemplateRow) => (kind === 'composer' ? `composer ${id}` : kind)
  const open = rows.find(isOpen)
  return (
    <>
      <nav className={classes.nav} aria-label="Templates">
        {groups.map((group) => (
          <section key={group}>
            <h2>{group}</h2>
            {rows
              .filter((row) => row.group === group)
              .map((row) => (
                <button
                  key={keyOf(row)}
                  type="button"
                  aria-current={isOpen(row) ? 'page' : undefined}
                  onClick={() => onOpen(row)}
                >
                  <span>{row.name}</span>
                  <small>{row.version === 0 ? 'Shipped' : `v${row.version}`}</small>
                </button>
              ))}
          </section>
        ))}
      </nav>
      <NativeSelect
        className={classes.phoneList}
        label="Template"
        value={open ? keyOf(open) : ''}
        data={[
          ...(open ? [] : [{ value: '', label: 'New template' }]),
          ...rows.map((row) => ({ value: keyOf(row), label: `${row.group}: ${row.name}` })),
        ]}
        onChange={({ currentTarget: { value } }) => {
          const row = rows.find((one) => keyOf(one) === value)
          if (row) onOpen(row)
        }}
      />
    </>
  )
}

interface OpenProps {
  kind: TemplateRow['kind']
  product_id: number | null
  id: number | null
  onSaved: (id: number | undefined) => void
}

function OpenTemplate({ kind, product_id, id, onSaved }: OpenProps) {
  const { byProduct } = kindOfTemplate(kind)
  const own = byProduct ? product_id : null
  const query = useQuery(
    queryOptionsFor(mailTemplates.show, {
      query: { kind, product_id: own ?? undefined, id: id ?? undefined },
    }),
  )
  // A version saved by someone else doesn't replace what the user is typing.
  const [reloaded, setReloaded] = useState(0)
  return (
    <Loaded query={query}>
      {({ data }) => (
        <TemplateForm
          key={reloaded}
          template={data}
          onSaved={(saved) => {
            setReloaded(reloaded + 1)
            onSaved(saved.id ?? undefined)
          }}
        />
      )}
    </Loaded>
  )
}
