// Command check verifies a log in C2SP tiles with the packages of Go's own checksum database.
//
//	check <folder> <verifier key> [<file>.tlog-proof | <file>.add-checkpoint]...
//
// It checks the signature of the checkpoint, authenticates every tile against its root, compares every entry with its
// leaf, proves entries and prefixes by itself, and checks the given inclusion proofs (tlog-proof) and consistency
// proofs (the body of a tlog-witness request).
package main

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

const height = 8

// tiles reads tiles from a folder. Go names them tile/8/<level>/…, C2SP leaves the height out.
type tiles struct{ folder string }

func (t tiles) Height() int { return height }

func (t tiles) SaveTiles([]tlog.Tile, [][]byte) {}

func (t tiles) ReadTiles(wanted []tlog.Tile) ([][]byte, error) {
	var data [][]byte
	for _, tile := range wanted {
		path := strings.Replace(tile.Path(), "tile/8/", "tile/", 1)
		path = strings.Replace(path, "tile/data/", "tile/entries/", 1)
		read, err := os.ReadFile(filepath.Join(t.folder, path))
		if err != nil {
			return nil, err
		}
		data = append(data, read)
	}
	return data, nil
}

type log struct {
	tree   tlog.Tree
	hashes tlog.HashReader
	tiles  tiles
	keys   note.Verifiers
	origin string
}

func main() {
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder, key string, proofs []string) error {
	verifier, err := note.NewVerifier(key)
	if err != nil {
		return fmt.Errorf("verifier key: %w", err)
	}
	l := log{tiles: tiles{folder}, keys: note.VerifierList(verifier), origin: verifier.Name()}
	signed, err := os.ReadFile(filepath.Join(folder, "checkpoint"))
	if err != nil {
		return err
	}
	if l.tree, err = l.open(signed); err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	l.hashes = tlog.TileHashReader(l.tree, l.tiles)
	for _, check := range []func() error{l.checkRoot, l.checkEntries, l.checkOwnProofs} {
		if err := check(); err != nil {
			return err
		}
	}
	for _, file := range proofs {
		if err := l.checkFile(file); err != nil {
			return fmt.Errorf("%s: %w", filepath.Base(file), err)
		}
	}
	fmt.Printf("verified %d entries and %d proof files\n", l.tree.N, len(proofs))
	return nil
}

// open checks the signature of a checkpoint and gives the tree that it names.
func (l log) open(signed []byte) (tlog.Tree, error) {
	var tree tlog.Tree
	opened, err := note.Open(signed, l.keys)
	if err != nil {
		return tree, err
	}
	lines := strings.Split(opened.Text, "\n")
	if len(lines) != 4 || lines[0] != l.origin || lines[3] != "" {
		return tree, fmt.Errorf("not a checkpoint of %s", l.origin)
	}
	if tree.N, err = strconv.ParseInt(lines[1], 10, 64); err != nil {
		return tree, err
	}
	tree.Hash, err = tlog.ParseHash(lines[2])
	return tree, err
}

func (l log) checkRoot() error {
	root, err := tlog.TreeHash(l.tree.N, l.hashes)
	if err == nil && root != l.tree.Hash {
		err = fmt.Errorf("the tiles have root %v, the checkpoint has %v", root, l.tree.Hash)
	}
	return err
}

func (l log) checkEntries() error {
	for first := int64(0); first < l.tree.N; first += 1 << height {
		width := l.tree.N - first
		if width > 1<<height {
			width = 1 << height
		}
		entries, err := l.bundle(first>>height, int(width))
		if err != nil {
			return err
		}
		indexes := make([]int64, width)
		for i := range indexes {
			indexes[i] = tlog.StoredHashIndex(0, first+int64(i))
		}
		leaves, err := l.hashes.ReadHashes(indexes)
		if err != nil {
			return err
		}
		for i, entry := range entries {
			if tlog.RecordHash(entry) != leaves[i] {
				return fmt.Errorf("entry %d is not what the tree has there", first+int64(i))
			}
		}
	}
	return nil
}

func (l log) bundle(index int64, width int) ([][]byte, error) {
	data, err := l.tiles.ReadTiles([]tlog.Tile{{H: height, L: -1, N: index, W: width}})
	if err != nil {
		return nil, err
	}
	var entries [][]byte
	for rest := data[0]; len(rest) > 0; {
		if len(rest) < 2 || len(rest) < 2+int(rest[0])<<8+int(rest[1]) {
			return nil, fmt.Errorf("bundle %d ends within an entry", index)
		}
		end := 2 + int(rest[0])<<8 + int(rest[1])
		entries, rest = append(entries, rest[2:end]), rest[end:]
	}
	if len(entries) != width {
		return nil, fmt.Errorf("bundle %d has %d entries instead of %d", index, len(entries), width)
	}
	return entries, nil
}

// checkOwnProofs has Go prove and check some entries and prefixes from our tiles.
func (l log) checkOwnProofs() error {
	for _, n := range []int64{0, l.tree.N / 3, l.tree.N / 2, l.tree.N - 1} {
		record, err := tlog.ProveRecord(l.tree.N, n, l.hashes)
		if err != nil {
			return err
		}
		if err := l.checkRecord(record, l.tree, n); err != nil {
			return err
		}
		prefix, err := tlog.ProveTree(l.tree.N, n+1, l.hashes)
		if err != nil {
			return err
		}
		if err := l.checkPrefix(prefix, l.tree, n+1); err != nil {
			return err
		}
	}
	return nil
}

func (l log) checkRecord(proof tlog.RecordProof, tree tlog.Tree, n int64) error {
	leaf, err := l.hashes.ReadHashes([]int64{tlog.StoredHashIndex(0, n)})
	if err != nil {
		return err
	}
	return tlog.CheckRecord(proof, tree.N, tree.Hash, n, leaf[0])
}

func (l log) checkPrefix(proof tlog.TreeProof, tree tlog.Tree, size int64) error {
	root, err := tlog.TreeHash(size, l.hashes)
	if err != nil {
		return err
	}
	return tlog.CheckTree(proof, tree.N, tree.Hash, size, root)
}

func (l log) checkFile(file string) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	head, signed, found := bytes.Cut(data, []byte("\n\n"))
	if !found {
		return fmt.Errorf("no empty line")
	}
	tree, err := l.open(signed)
	if err != nil {
		return err
	}
	lines := strings.Split(string(head), "\n")
	if lines[0] == "c2sp.org/tlog-proof@v1" {
		index, hashes, err := numbered(lines[1:], "index ")
		if err != nil {
			return err
		}
		return l.checkRecord(hashes, tree, index)
	}
	size, hashes, err := numbered(lines, "old ")
	if err != nil {
		return err
	}
	return l.checkPrefix(hashes, tree, size)
}

// numbered reads a line with a word and a number, and the hashes that stand on the lines below it.
func numbered(lines []string, word string) (int64, []tlog.Hash, error) {
	if len(lines) == 0 || !strings.HasPrefix(lines[0], word) {
		return 0, nil, fmt.Errorf("no line %q", word)
	}
	number, err := strconv.ParseInt(strings.TrimPrefix(lines[0], word), 10, 64)
	if err != nil {
		return 0, nil, err
	}
	var hashes []tlog.Hash
	for _, line := range lines[1:] {
		data, err := base64.StdEncoding.Strict().DecodeString(line)
		if err != nil || len(data) != tlog.HashSize {
			return 0, nil, fmt.Errorf("malformed hash %q", line)
		}
		var hash tlog.Hash
		copy(hash[:], data)
		hashes = append(hashes, hash)
	}
	return number, hashes, nil
}
