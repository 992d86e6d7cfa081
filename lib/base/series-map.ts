export type Labels = Readonly<Record<string, string>>

export interface Series {
  /** No longer exposed: what is counted on it goes to the series that has its labels now. */
  isRemoved: boolean
}

/** The series of one metric, by the values of their labels in the order of their names. */
export class SeriesMap<S extends Series> {
  readonly #names: readonly string[]
  readonly #make: (labels: Labels, again: () => S) => S
  readonly #series = new Map<string, S>()

  /** `again`: the series that has these labels at that moment. */
  constructor(names: readonly string[], make: (labels: Labels, again: () => S) => S) {
    this.#names = names
    this.#make = make
  }

  of(values: readonly string[]): S {
    const key = JSON.stringify(values)
    let series = this.#series.get(key)
    if (series === undefined) {
      const labels = Object.fromEntries(this.#names.map((name, i) => [name, values[i]!]))
      series = this.#make(labels, () => this.of(values))
      this.#series.set(key, series)
    }
    return series
  }

  remove(labels: Labels): void {
    const key = JSON.stringify(this.#names.map(name => labels[name]))
    const series = this.#series.get(key)
    if (series !== undefined) series.isRemoved = true
    this.#series.delete(key)
  }

  clear(): void {
    for (const series of this.#series.values()) series.isRemoved = true
    this.#series.clear()
  }

  all(): readonly S[] {
    return [...this.#series.values()]
  }
}
