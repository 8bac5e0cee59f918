/** Programs that are evaluated again and again; each ends by itself. */
export const benchmarkPrograms: Readonly<Record<string, string>> = {
  "loop of 200 steps": `
    new loop in {
      contract loop(@n) = { match n { 0 => Nil _ => loop!(n - 1) } } |
      loop!(200)
    }`,
  "contract calls (40 cells)": `
    new cell, account in {
      contract cell(@init, get, set) = {
        new state in {
          state!(init) |
          contract get(ret) = { for (@value <- state) { state!(value) | ret!(value) } } |
          contract set(@value, ret) = { for (_ <- state) { state!(value) | ret!(true) } }
        }
      } |
      contract account(@count) = {
        match count {
          0 => Nil
          _ => {
            new get, set, ret, done in {
              cell!(count, *get, *set) | get!(*ret) |
              for (@value <- ret) { set!(value + 1, *done) | for (_ <- done) { account!(count - 1) } }
            }
          }
        }
      } |
      account!(40)
    }`,
  "map of 60 entries": `
    new fill, out in {
      contract fill(@n, @map) = {
        match n { 0 => out!(map.get(7)) _ => fill!(n - 1, map.set(n, {"name": "\${n}", "half": n / 2})) }
      } |
      fill!(60, {})
    }`,
  "strings (60 steps)": `
    new grow, out in {
      contract grow(@n, @text) = {
        match n { 0 => out!(text.length()) _ => grow!(n - 1, text ++ "step \${n}; " %% {"n": n}) }
      } |
      grow!(60, "")
    }`,
  "joins of 3 channels (20 rounds)": `
    new round, a, b, c in {
      contract round(@n) = {
        match n {
          0 => Nil
          _ => { a!(n) | b!([n, n]) | c!({"n": n}) | for (@x <- a & @[y, z] <- b & @{"n": w} <- c) { round!(n - 1) } }
        }
      } |
      round!(20)
    }`,
};

/** Patterns of each kind beside a value that each is tried on. */
export const benchmarkMatches: Readonly<Record<string, readonly [target: string, pattern: string]>> = {
  "variables in a list": ["[1, 2, 3, 4]", "[a, b, c, d]"],
  "rest of a list": ["[1, 2, 3, 4, 5, 6]", "[a, b ...rest]"],
  "map with a rest": [`{"a": 1, "b": 2, "c": 3}`, `{"b": x ...rest}`],
  "types and logic": ["42", "x /\\ Int"],
  "parallel processes": ["@1!(1) | @2!(2) | @3!(3)", "{ @3!(x) | rest }"],
};

/** A contract of the usual kind, for the parser. */
export const benchmarkContract = `
new store(\`rho:registry:lookup\`), balance, transfer, ack in {
  balance!({}) |
  contract transfer(@from, @to, @amount /\\ Int, return) = {
    for (@balances <- balance) {
      match [balances.getOrElse(from, 0), balances.getOrElse(to, 0)] {
        [left, right] => {
          if (amount > 0 and left >= amount) {
            // both sides change at once
            balance!(balances.set(from, left - amount).set(to, right + amount)) |
            return!((true, Nil))
          } else {
            balance!(balances) |
            return!((false, "insufficient funds: \${amount}" %% {"amount" : amount}))
          }
        }
      }
    }
  } |
  for (@{"kind" : "query", "who" : who ...rest}, reply <= ack; _ <- store) {
    for (@balances <<- balance) { reply!([who, balances.get(who), rest]) }
  }
}`;

/** A query that costs next to nothing: what remains is the way to a reader and back. */
export const trivialExploration = "new return in { return!(42) }";

/** The program with which wallets query a balance. @spec 41 §10.1 */
export function balanceExploration(address: string): string {
  return `
    new return, rl(\`rho:registry:lookup\`), vaultCh in {
      rl!(\`rho:rchain:asiVault\`, *vaultCh) |
      for (@(_, vaults) <- vaultCh) {
        new found in {
          @vaults!("findOrCreate", "${address}", *found) |
          for (@either <- found) {
            match either {
              (true, vault) => { @vault!("balance", *return) }
              (false, error) => { return!(error) }
            }
          }
        }
      }
    }`;
}
