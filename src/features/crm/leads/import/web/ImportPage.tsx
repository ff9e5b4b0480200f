import { Suspense, useState } from 'react'
import { Button, NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { leads } from '#features/crm/leads/contract.ts'
import { leadImports, type Import } from '#features/crm/leads/import/contract.ts'
import classes from '#features/crm/leads/import/web/import.module.css'
import { sizeInBytes } from '#shared/sizes.ts'
import { queryOptionsFor } from '#web/api/client.ts'
import { useMay, useSend } from '#web/api/useSend.ts'
import { FileField } from '#web/form/FileField.tsx'
import { EmptyState, ErrorState, Loaded, LoadingState } from '#web/list/states.tsx'
import { useChanged } from '#web/live.ts'
import { Moment } from '#web/Moment.tsx'
import { useMyProducts } from '#web/session.ts'
import { PageHeader } from '#web/parts/PageHeader.tsx'
import { NoAccessPage } from '#web/states/NoAccess.tsx'
import { lazyPart } from '#web/shell/lazy.tsx'
import { useScope } from '#web/shell/useScope.ts'
import { Panel } from '#web/parts/Panel.tsx'
import { Soft } from '#web/parts/Soft.tsx'
import { LinkButton } from '#web/parts/LinkButton.tsx'

const ImportMappingForm = lazyPart(
  () => import('#features/crm/leads/import/web/ImportMappingForm.tsx'),
  'ImportMappingForm',
)
const ImportResult = lazyPart(() => import('#features/crm/leads/import/web/ImportResult.tsx'), 'ImportResult')

/**
 * Page for importing leads from a workbook or a CSV: upload, column mapping, preview, and import. The import's ID is in the
 * URL, so that a reload resumes it.
 */
export function ImportPage() {
  const { import: current } = useSearch({ strict: false }) as { import?: unknown }
  const id = Number(current)
  const mayImport = useMay(leadImports.recent)
  const navigate = useNavigate()
  const open = (next: number | undefined) =>
    void navigate({ to: '.', search: next === undefined ? {} : { import: next } })
  if (!mayImport) return <NoAccessPage />
  return (
    <>
      <PageHeader>
        {id > 0 && (
          <Button variant="default" onClick={() => open(undefined)}>
            Import another file
          </Button>
        )}
      </PageHeader>
      {id > 0 ? <OneImport id={id} /> : <UploadStep onStarted={open} />}
    </>
  )
}

function UploadStep({ onStarted }: { onStarted: (id: number) => void }) {
  const scope = useScope()
  const products = useMyProducts()
  const [product, setProduct] = useState<string>()
  const [file, setFile] = useState<File>()
  const { send, sending } = useSend(leadImports.upload)
  const leadFor = Number(product ?? scope ?? products[0]?.id)

  async function upload(): Promise<void> {
    if (!file) return
    const reply = await send({ body: { lead_for: leadFor }, file })
    if (reply) onStarted(reply.data.id)
  }

  return (
    <div className={classes.start}>
      <Panel aria-label="New import">
        <h2>1. Upload</h2>
        <Soft>
          Upload an Excel workbook (.xlsx) or a CSV file, with column names in the first row. Of a workbook,
          the first sheet is read. You can preview every row before anything changes.
        </Soft>
        <NativeSelect
          label="Product"
          w={260}
          value={String(leadFor)}
          data={products.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={(event) => setProduct(event.currentTarget.value)}
        />
        <FileField
          label="File"
          accept=".xlsx,.csv,.txt,text/csv"
          maxBytes={sizeInBytes('10M')}
          file={file}
          onChoose={setFile}
          required
        />
        <div>
          <Button loading={sending} disabled={!file} onClick={() => void upload()}>
            Upload file
          </Button>
        </div>
      </Panel>
      <RecentImports onOpen={onStarted} />
    </div>
  )
}

function OneImport({ id }: { id: number }) {
  const query = useQuery({
    ...queryOptionsFor(leadImports.show, { params: { id } }),
    refetchInterval: (one) => (one.state.data?.data.state === 'running' ? 1000 : false),
  })
  // The options have the names of imported details, which are columns of the list.
  useChanged('lead-imports', [leadImports.show, leadImports.rows, leads.options])
  const [remapping, setRemapping] = useState(false)
  if (query.error && !query.data)
    return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <Loaded query={query}>
      {({ data }) => (
        <Suspense fallback={<LoadingState rows={8} />}>
          {data.state === 'uploaded' || remapping ? (
            <ImportMappingForm key={data.id} current={data} onChecked={() => setRemapping(false)} />
          ) : (
            <ImportResult current={data} onRemap={() => setRemapping(true)} />
          )}
        </Suspense>
      )}
    </Loaded>
  )
}

const states: Record<Import['state'], string> = {
  uploaded: 'Needs mapping',
  checked: 'Ready to import',
  running: 'Running',
  done: 'Done',
  failed: 'Failed',
}

function RecentImports({ onOpen }: { onOpen: (id: number) => void }) {
  const query = useQuery(queryOptionsFor(leadImports.recent))
  return (
    <Panel aria-label="Recent imports">
      <h2>Recent imports</h2>
      <Loaded query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <EmptyState title="No imports yet" />
          ) : (
            <ul className={classes.recent}>
              {data.map((one) => (
                <li key={one.id}>
                  <LinkButton onClick={() => onOpen(one.id)}>{one.file_name}</LinkButton>
                  <span>
                    {states[one.state]} · {one.row_count.toLocaleString()} rows · {one.who} ·{' '}
                    <Moment at={one.created_at} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Panel>
  )
}
