/** Models that operators have stored, as entries of `models` in JSON. null: the model of the file is hidden. */
export function storedModels(): string[] {
  return ['create table stored_models (id text primary key, entry text, changed_at bigint not null)']
}
